#include "tune/shared_axis.h"

#include "feature/loop_tree.h"
#include "schedule/state.h"

namespace hone::tune {
namespace {

using feature::LoopTree;
using schedule::Digit;

// The loop around the store that threads share out; null without one.
const feature::Loop* parallel_loop(const LoopTree& tree, const feature::Store& store) {
  const feature::Loop* found = nullptr;
  for (int l = store.loop; l >= 0; l = tree.loops[static_cast<std::size_t>(l)].parent) {
    const feature::Loop& loop = tree.loops[static_cast<std::size_t>(l)];
    if (loop.kind == ir::LoopKind::Parallel) found = &loop;
  }
  return found;
}

// Turns after which the digit changes; 0 for one that never does.
std::int64_t period(const Digit& digit, std::int64_t extent) {
  const std::int64_t range = digit.upper == 0 ? extent : std::min(digit.upper, extent);
  return range > digit.lower ? digit.lower : 0;
}

}  // namespace

int shared_axis(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps) {
  schedule::State state = schedule::replay(task, steps);
  schedule::infer_bounds(state);
  const LoopTree tree = feature::loop_tree(state);
  const feature::Store& last = tree.stores.back();
  const feature::Loop* const loop = parallel_loop(tree, last);
  if (loop == nullptr) return -1;
  const feature::Index& index = last.accesses.front().indices.front();
  int axis = -1;
  std::int64_t slowest = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    for (const Digit& digit : index[d].digits) {
      if (digit.var != loop->var || period(digit, loop->extent) <= slowest) continue;
      slowest = period(digit, loop->extent);
      axis = static_cast<int>(d);
    }
  }
  return axis;
}

}  // namespace hone::tune
