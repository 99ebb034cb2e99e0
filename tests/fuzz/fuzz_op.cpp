// Any text after --op is an operator or the user's mistake.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "task/catalogue.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    hone::task::from_op({reinterpret_cast<const char*>(data), size});
  } catch (const hone::UserError&) {
  }
  return 0;
}
