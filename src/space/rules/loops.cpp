#include "space/rules/loops.h"

#include <algorithm>
#include <numeric>

namespace hone::space::rules {
namespace {

using Lengths = std::vector<std::optional<std::int64_t>>;

int split_by(schedule::State& state, int stage, int iter, Lengths lengths) {
  const auto& iters = state.stages[static_cast<std::size_t>(stage)].iters;
  const std::optional<std::int64_t> extent = iters[static_cast<std::size_t>(iter)].extent;
  apply(state, schedule::Split{stage, iter, extent, std::move(lengths), true});
  return static_cast<int>(state.steps.size()) - 1;
}

std::int64_t product(const std::vector<task::Axis>& axes) {
  std::int64_t result = 1;
  for (const task::Axis& axis : axes) result *= axis.extent;
  return result;
}

}  // namespace

int split_open(schedule::State& state, int stage, int iter, int n_parts) {
  return split_by(state, stage, iter, Lengths(static_cast<std::size_t>(n_parts) - 1));
}

int split(schedule::State& state, int stage, int iter, std::int64_t inner) {
  return split_by(state, stage, iter, {inner});
}

int fuse_reductions(schedule::State& state, int stage) {
  const task::Op& op = state.task->ops[static_cast<std::size_t>(stage)];
  const auto first = static_cast<int>(op.axes.size());
  std::vector<int> iters(op.reduce_axes.size());
  std::iota(iters.begin(), iters.end(), first);
  if (iters.size() > 1) apply(state, schedule::Fuse{stage, std::move(iters)});
  return first;
}

void reorder(schedule::State& state, int stage, const std::vector<std::vector<int>>& groups) {
  std::vector<int> order;
  for (const std::vector<int>& group : groups) order.insert(order.end(), group.begin(), group.end());
  apply(state, schedule::Reorder{stage, std::move(order)});
}

std::int64_t space_size(const task::Op& op) { return product(op.axes); }
std::int64_t reduction_size(const task::Op& op) { return product(op.reduce_axes); }

// Stages are decided from the last to the first, so no later step has moved the stage.
bool is_write_cache(const schedule::State& state, int stage) {
  return std::ranges::any_of(state.steps, [&](const schedule::Step& step) {
    const auto* cache = std::get_if<schedule::CacheWrite>(&step);
    return cache != nullptr && cache->stage == stage;
  });
}

}  // namespace hone::space::rules
