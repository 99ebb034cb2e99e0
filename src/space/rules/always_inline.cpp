#include "space/rules/always_inline.h"

#include "space/rules/rules.h"

namespace hone::space::rules {

bool should_be_inlined(const Site& site) {
  const auto id = static_cast<std::size_t>(site.stage);
  if (site.op().is_placeholder() || site.analysis.is_output[id] || !site.op().reduce_axes.empty()) {
    return false;
  }
  return site.on_gpu() || site.analysis.is_strictly_inlineable[id];
}

Rule always_inline() {
  const auto condition = [](const Site& site) {
    return should_be_inlined(site) ? Answer::Only : Answer::Skip;
  };
  const auto apply = [](const Site& site) {
    Draft draft{site.state, site.stage - 1};
    schedule::apply(draft.state, schedule::ComputeInline{site.stage});
    return std::vector{std::move(draft)};
  };
  return {"always_inline", condition, apply};
}

}  // namespace hone::space::rules
