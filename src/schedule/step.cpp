#include "schedule/step.h"

#include <array>

namespace hone::schedule {

int stage_of(const Step& step) {
  return std::visit([](const auto& kind) { return kind.stage; }, step);
}

std::string_view code_of(const Step& step) {
  constexpr std::array<std::string_view, std::variant_size_v<Step>> kCodes = {
      "AN", "FU", "PR", "RE", "SP", "FSP", "FFSP", "SA", "CA", "CI", "CR", "CHR", "CHW", "RF"};
  return kCodes[step.index()];
}

}  // namespace hone::schedule
