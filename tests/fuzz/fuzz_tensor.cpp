// Any bytes are an array of NumPy, an archive of them, or the user's mistake.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/zip.h"
#include "model/npy.h"

using namespace hone;

namespace {

void read_array(const SharedBytes& file) {
  const model::Tensor tensor = model::parse_npy(file);
  std::string written = model::npy_header(tensor);
  written.append(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  const model::Tensor again = model::parse_npy(keep(std::move(written)));
  check(again.shape() == tensor.shape() && again.type() == tensor.type(),
        "an array is read as written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const SharedBytes file = keep(std::vector<std::uint8_t>(data, data + size));
  try {
    if (size > 0 && data[0] == 'P') {
      for (const ZipEntry& entry : read_zip(file)) read_array(entry.content);
    } else {
      read_array(file);
    }
  } catch (const UserError& error) {
    check(!error.hint().empty(), "the user is told what to do");
  }
  return 0;
}
