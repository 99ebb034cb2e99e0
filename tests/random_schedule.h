// Random legal schedules, for tests that compare what they compute.
#pragma once
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "base/error.h"
#include "schedule/state.h"

namespace hone {

// Steps that are refused, or after which bounds cannot be inferred, are tried and taken back.
class RandomSchedule {
 public:
  RandomSchedule(std::shared_ptr<const task::Task> task, std::uint32_t seed)
      : state_(schedule::initial_state(std::move(task))), random_(seed) {}

  // About `n_steps` steps; the state has its bounds.
  schedule::State run(int n_steps) {
    add_stages();
    for (int i = 0; i < n_steps; ++i) try_step(loop_step());
    place_stages();
    for (int i = 0; i < n_steps / 2; ++i) try_step(loop_step());
    annotate();
    schedule::infer_bounds(state_);
    return state_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int n_stages() const { return static_cast<int>(state_.stages.size()); }
  int n_iters(int s) const { return static_cast<int>(state_.stages[index(s)].iters.size()); }
  static std::size_t index(int s) { return static_cast<std::size_t>(s); }
  const task::Op& op(int s) const { return state_.task->ops[index(s)]; }

  bool try_step(const schedule::Step& step) {
    schedule::State next = state_;
    try {
      schedule::apply(next, step);
      schedule::infer_bounds(next);
    } catch (const UserError&) {
      return false;
    }
    state_ = std::move(next);
    return true;
  }

  std::vector<int> readers(int s) const {
    std::vector<int> found;
    for (int r = 0; r < n_stages(); ++r) {
      const auto reads = task::reads_of(op(r));
      if (std::find(reads.begin(), reads.end(), op(s).output()) != reads.end()) found.push_back(r);
    }
    return found;
  }

  void add_stages() {
    if (pick(3) == 0) {
      const int s = pick(n_stages());
      if (op(s).reducer != task::Reducer::None && pick(2) == 0) factor(s);
    }
    if (pick(3) == 0) try_step(schedule::CacheWrite{pick(n_stages()), "local"});
    if (pick(3) == 0) {
      const int s = pick(n_stages());
      try_step(schedule::CacheRead{s, "global", readers(s)});
    }
  }

  void factor(int s) {
    const int first = static_cast<int>(op(s).axes.size());
    const schedule::State before = state_;
    const std::int64_t extent = op(s).reduce_axes.front().extent;
    const bool split = try_step(schedule::Split{s, first, extent, {pick(5) + 1}, true});
    if (!split || !try_step(schedule::Rfactor{s, first + pick(2), pick(first + 1)})) state_ = before;
  }

  schedule::Step loop_step() {
    const int s = pick(n_stages());
    const int count = std::max(n_iters(s), 1);
    const int iter = pick(count);
    switch (pick(4)) {
      case 0: {
        std::vector<int> order(static_cast<std::size_t>(n_iters(s)));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random_);
        return schedule::Reorder{s, std::move(order)};
      }
      case 1:
        return schedule::Fuse{s, {iter, iter + 1}};
      default: {
        std::vector<std::optional<std::int64_t>> lengths;
        for (int n = 1 + pick(2); n > 0; --n) lengths.emplace_back(pick(6) + 1);
        return schedule::Split{s, iter, std::nullopt, std::move(lengths), pick(4) != 0};
      }
    }
  }

  void place_stages() {
    for (int s = n_stages() - 1; s >= 0; --s) {
      const std::vector<int> consumers = readers(s);
      if (consumers.empty() || op(s).is_placeholder()) continue;
      const int choice = pick(3);
      if (choice == 0) try_step(schedule::ComputeInline{s});
      if (choice != 1) continue;
      const int target = consumers[index(pick(static_cast<int>(consumers.size())))];
      if (n_iters(target) > 0) try_step(schedule::ComputeAt{s, target, pick(n_iters(target))});
    }
  }

  // Loops that carry no dependence may run in any way.
  void annotate() {
    for (int s = 0; s < n_stages(); ++s) {
      for (int i = 0; i < n_iters(s); ++i) {
        const bool is_spatial =
            state_.stages[index(s)].iters[index(i)].kind == schedule::IterKind::Spatial;
        const bool is_root = state_.stages[index(s)].location == schedule::Location::Root;
        if (pick(4) == 0) try_step(schedule::Annotate{s, i, ir::LoopKind::Unrolled});
        if (is_spatial && pick(5) == 0) try_step(schedule::Annotate{s, i, ir::LoopKind::Vectorized});
        if (is_spatial && is_root && i == 0) {
          try_step(schedule::Annotate{s, i, ir::LoopKind::Parallel});
        }
      }
      if (n_iters(s) > 0 && pick(3) == 0) {
        try_step(schedule::Pragma{s, pick(n_iters(s)), "auto_unroll_max_step$16"});
      }
    }
  }

  schedule::State state_;
  std::mt19937 random_;
};

}  // namespace hone
