#include "schedule/step.h"

namespace hone::schedule {

int stage_of(const Step& step) {
  return std::visit([](const auto& kind) { return kind.stage; }, step);
}

}  // namespace hone::schedule
