#include "base/error.h"

#include <fmt/format.h>

namespace hone {

void fail(std::string_view what, std::source_location place) {
  throw InternalError(fmt::format("{}:{}: {}", place.file_name(), place.line(), what));
}

}  // namespace hone
