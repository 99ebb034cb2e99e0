// Any bytes are a model or the user's mistake, and a model that was read is written and read again
// alike.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/error.h"
#include "model/read.h"
#include "model/write.h"

using namespace hone;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path nowhere = "no/such/folder/m.onnx";  // external data is never there
  try {
    const std::string written =
        model::to_bytes(model::parse(std::as_bytes(std::span(data, size)), nowhere));
    try {
      const model::Model again = model::parse(std::as_bytes(std::span(written)), nowhere);
      check(model::to_bytes(again) == written, "a model that was written and read is the same");
    } catch (const UserError& error) {
      fail(error.what());
    }
  } catch (const UserError& error) {
    check(!error.hint().empty(), "the user is told what to do");
  }
  return 0;
}
