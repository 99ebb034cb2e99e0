#include "space/annotate/footprint.h"

#include <algorithm>
#include <cstdlib>

#include "schedule/access.h"

namespace hone::space {
namespace {

IndexTerms terms_of(const schedule::Sum& sum, int n_axes) {
  IndexTerms out;
  for (const schedule::Digit& digit : sum.digits) {
    if (digit.var >= n_axes) return {false, {}};
    out.terms.push_back({digit.var, std::abs(digit.scale), digit.lower, digit.upper});
  }
  return out;
}

}  // namespace

std::vector<std::vector<ReadTerms>> reads_by_producer(const task::Task& task,
                                                      const task::Analysis& analysis) {
  std::vector<std::vector<ReadTerms>> reads(task.ops.size());
  for (std::size_t r = 0; r < task.ops.size(); ++r) {
    const task::Op& reader = task.ops[r];
    schedule::Vars vars;
    schedule::AxisValues axes;
    for (const auto* list : {&reader.axes, &reader.reduce_axes}) {
      for (const task::Axis& axis : *list) {
        const schedule::Var var = vars.add_loops(1);
        vars.set_extent(var, std::max<std::int64_t>(axis.extent, 2));  // sizes are not final yet
        axes.push_back({axis.var.get(), schedule::variable(vars, var)});
      }
    }
    const int n_axes = static_cast<int>(axes.size());
    for (const auto& [producer, tuples] : analysis.reads[r]) {
      for (const std::vector<ir::Expr>& tuple : tuples) {
        ReadTerms read{static_cast<int>(r), {}};
        for (const ir::Expr& index : tuple) {
          read.index.push_back(terms_of(schedule::to_sum(vars, index, axes), n_axes));
        }
        reads[static_cast<std::size_t>(producer)].push_back(std::move(read));
      }
    }
  }
  return reads;
}

std::int64_t touched(const IndexTerms& index, const std::vector<std::int64_t>& extents,
                     std::int64_t whole) {
  if (!index.is_known) return whole;
  std::int64_t count = 1;
  for (const AxisTerm& term : index.terms) {
    std::int64_t last = extents[static_cast<std::size_t>(term.axis)] - 1;
    if (term.upper > 0) last = std::min(last, term.upper - 1);
    count += term.scale * ((last + term.lower - 1) / term.lower);
  }
  return std::min(count, whole);
}

}  // namespace hone::space
