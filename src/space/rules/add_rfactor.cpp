#include <numeric>

#include "space/rules/loops.h"
#include "space/rules/rules.h"

namespace hone::space::rules {
namespace {

constexpr std::int64_t kEnoughPartsPerCore = 16;

bool needs_rfactor(const Site& site) {
  const std::int64_t space = space_size(site.op()), reduction = reduction_size(site.op());
  const std::int64_t cores = site.hardware.cores;
  if (!site.needs_tiling()) return reduction > 1 && reduction > cores;
  return space <= reduction && space <= kEnoughPartsPerCore * cores;
}

Answer condition(const Site& site) {
  const bool has_one_result = site.op().outputs.size() == 1;  // what the step can factor
  const bool fits = has_one_result && needs_rfactor(site) && !is_write_cache(site.state, site.stage);
  return fits ? Answer::Apply : Answer::Skip;
}

// The factored axis comes last in space. Outside the reduction it runs in parallel; inside it, where
// the loop goes innermost, it is for vectors.
Draft factor(const schedule::State& split, int stage, int iter, int n_space, bool innermost) {
  Draft draft{split, stage - 1};
  apply(draft.state, schedule::Rfactor{stage, iter, n_space});
  if (!innermost) return draft;
  const auto n_iters = draft.state.stages[static_cast<std::size_t>(stage)].iters.size();
  std::vector<int> order(n_iters);
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + n_space);
  order.push_back(n_space);
  apply(draft.state, schedule::Reorder{stage, std::move(order)});
  return draft;
}

std::vector<Draft> apply_rule(const Site& site) {
  schedule::State split = site.state;
  const int outer = fuse_reductions(split, site.stage);
  split_open(split, site.stage, outer, 2);
  const auto n_space = static_cast<int>(site.op().axes.size());
  return {factor(split, site.stage, outer, n_space, false),
          factor(split, site.stage, outer + 1, n_space, true)};
}

}  // namespace

Rule add_rfactor() { return {"add_rfactor", condition, apply_rule}; }

}  // namespace hone::space::rules
