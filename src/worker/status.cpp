#include "worker/status.h"

#include <array>

namespace hone::worker {

std::string_view to_string(Status status) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "ok",           "instantiation", "compile host", "compile device", "runtime",
      "wrong answer", "build timeout", "run timeout",  "unknown"};
  return kNames.at(static_cast<std::size_t>(status));
}

}  // namespace hone::worker
