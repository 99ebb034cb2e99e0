#include "feature/cpu_rows.h"

#include "base/error.h"
#include "feature/layouts.h"
#include "feature/limits.h"

namespace hone::feature {

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
