#include "schedule/step.h"

#include <algorithm>

namespace hone::schedule {

int stage_of(const Step& step) {
  return std::visit([](const auto& kind) { return kind.stage; }, step);
}

bool is_ansors(const Steps& steps) {
  return std::ranges::none_of(steps,
                              [](const Step& step) { return std::holds_alternative<Prefetch>(step); });
}

}  // namespace hone::schedule
