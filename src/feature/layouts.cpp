#include "feature/layouts.h"

#include <optional>

#include "schedule/layout.h"
#include "schedule/values.h"

namespace hone::feature {

std::vector<StageLayout> layouts_of(const schedule::State& state) {
  std::vector<StageLayout> layouts;
  std::optional<schedule::Vars> vars;
  for (int s = 0; s < static_cast<int>(state.stages.size()); ++s) {
    const std::string& name = state.task->ops[static_cast<std::size_t>(s)].name();
    StageLayout layout{.is_packed = schedule::is_layout_free(*state.task, name)};
    if (schedule::is_panel(state, s)) {
      if (!vars) vars = schedule::exact_vars(state);
      const std::vector<int> order = schedule::panel_order(state, s, *vars);
      layout.is_packed = true;
      if (!order.empty()) layout.last_axis = order.back();
    }
    layouts.push_back(layout);
  }
  return layouts;
}

}  // namespace hone::feature
