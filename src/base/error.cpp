#include "base/error.h"

namespace hone {

void fail(std::string_view what, std::source_location place) {
  throw InternalError(std::string(place.file_name()) + ":" + std::to_string(place.line()) + ": " +
                      std::string(what));
}

}  // namespace hone
