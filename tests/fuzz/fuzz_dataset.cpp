// Any bytes are a program of a data set: they are refused, or what they say can be coded again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "record/hds/program_code.h"

using namespace hone;

namespace {

template <class Program>
void check_coding(const Program& program, Program (*decode)(std::string_view)) {
  std::string code;
  record::hds::append_code(code, program);
  check(decode(code) == program, "a coded program reads again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    check_coding(record::hds::steps_from_code(bytes), record::hds::steps_from_code);
  } catch (const UserError&) {
  }
  try {
    check_coding(record::hds::knobs_from_code(bytes), record::hds::knobs_from_code);
  } catch (const UserError&) {
  }
  return 0;
}
