#include "feature/cpu_rows.h"

#include <optional>

#include "base/error.h"
#include "feature/limits.h"
#include "schedule/layout.h"
#include "schedule/values.h"

namespace hone::feature {
namespace {

// The layout of constants and panels follows from the schedule.
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

}  // namespace

Rows cpu_rows(const Replayed& program, const target::Target& target) {
  if (exceeded(program.tree(), program.hardware())) return {};
  const Statements& loops = program.statements();
  const std::vector<float> code = code_rows(program.tree(), layouts_of(program.state()), target);
  check(code.size() == loops.size() * kCodeColumns, "both describe the same statements");
  Rows rows{{}, loops.stages};
  rows.values.reserve(loops.size() * kCpuColumns);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const auto row = loops.row(i);
    rows.values.insert(rows.values.end(), row.begin(), row.end());
    const auto begin = code.begin() + static_cast<std::ptrdiff_t>(i * kCodeColumns);
    rows.values.insert(rows.values.end(), begin, begin + static_cast<std::ptrdiff_t>(kCodeColumns));
  }
  return rows;
}

}  // namespace hone::feature
