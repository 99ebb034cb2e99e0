#include "feature/cpu_rows.h"

#include "base/error.h"
#include "feature/limits.h"
#include "schedule/layout.h"

namespace hone::feature {
namespace {

// Of each stage, whether it is a constant whose layout follows from the schedule.
std::vector<bool> packed_stages(const task::Task& task) {
  std::vector<bool> is_packed;
  for (const task::Op& op : task.ops) is_packed.push_back(schedule::is_layout_free(task, op.name()));
  return is_packed;
}

}  // namespace

Rows cpu_rows(const schedule::State& state, const space::Hardware& hardware,
              const target::Target& target) {
  const LoopTree tree = loop_tree(state);
  if (exceeded(tree, hardware)) return {};
  const Statements loops = statements(tree, hardware.cache_line_bytes);
  const std::vector<float> code = code_rows(tree, packed_stages(*state.task), target);
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
