#include "feature/cpu_rows.h"

#include "base/error.h"
#include "feature/limits.h"
#include "schedule/layout.h"

namespace hone::feature {
namespace {

// Of each stage, whether its layout follows from the schedule: of constants, and of panels.
std::vector<bool> packed_stages(const schedule::State& state) {
  std::vector<bool> is_packed;
  for (int s = 0; s < static_cast<int>(state.stages.size()); ++s) {
    const std::string& name = state.task->ops[static_cast<std::size_t>(s)].name();
    is_packed.push_back(schedule::is_panel(state, s) || schedule::is_layout_free(*state.task, name));
  }
  return is_packed;
}

}  // namespace

Rows cpu_rows(const schedule::State& state, const space::Hardware& hardware,
              const target::Target& target) {
  const LoopTree tree = loop_tree(state);
  if (exceeded(tree, hardware)) return {};
  const Statements loops = statements(tree, hardware.cache_line_bytes);
  const std::vector<float> code = code_rows(tree, packed_stages(state), target);
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
