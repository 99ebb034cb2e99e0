#include "space/alternatives.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "schedule/state.h"
#include "space/annotate/unroll.h"
#include "space/factors.h"
#include "space/prefetch.h"

namespace hone::space {
namespace {

using schedule::Step;
using schedule::Steps;
using TaskPtr = std::shared_ptr<const task::Task>;

bool can_be_applied(const TaskPtr& task, const Steps& steps) {
  try {
    schedule::State state = schedule::replay(task, steps);
    schedule::infer_bounds(state);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

// A loop of the stage has moved by so many places, and with it all behind it.
struct Shift {
  int stage, from, by;

  void apply_to(int at_stage, int& iter) const {
    if (at_stage == stage && iter >= from) iter += by;
  }
  void operator()(schedule::Annotate& step) const { apply_to(step.stage, step.iter); }
  void operator()(schedule::Pragma& step) const { apply_to(step.stage, step.iter); }
  void operator()(schedule::Split& step) const { apply_to(step.stage, step.iter); }
  void operator()(schedule::FollowSplit& step) const { apply_to(step.stage, step.iter); }
  void operator()(schedule::ComputeAt& step) const { apply_to(step.target_stage, step.target_iter); }
  void operator()(schedule::Prefetch& step) const { apply_to(step.stage, step.iter); }
  void operator()(schedule::Fuse& step) const {
    for (int& iter : step.iters) apply_to(step.stage, iter);
  }
  // Others name all loops of the stage, or lie before any loop is fused.
  template <class Other>
  void operator()(Other&) const {}
};

class Finder {
 public:
  Finder(const TaskPtr& task, const Steps& steps, Hardware::Kind kind)
      : task_(task), steps_(steps), kind_(kind), state_(schedule::initial_state(task)) {}

  std::vector<Alternative> run() {
    for (; at_ < steps_.size(); ++at_) {
      std::visit([this](const auto& step) { vary(step); }, steps_[at_]);
      schedule::apply(state_, steps_[at_]);
    }
    return std::move(found_);
  }

 private:
  // Of two that are the same the first one stays, so those that undo a step come first.
  void offer(Steps steps, bool is_undone) {
    const auto is_same = [&](const Alternative& other) { return other.steps == steps; };
    if (steps == steps_ || std::ranges::any_of(found_, is_same)) return;
    if (can_be_applied(task_, steps)) found_.push_back({at_, is_undone, std::move(steps)});
  }
  void replace(Step step, bool is_undone = false) {
    Steps steps = steps_;
    steps[at_] = std::move(step);
    offer(std::move(steps), is_undone);
  }
  const std::vector<schedule::Iterator>& iters(int stage) const {
    return state_.stages[static_cast<std::size_t>(stage)].iters;
  }

  void vary(const schedule::Annotate& step) {
    using ir::LoopKind;
    const bool can_be_plain = step.annotation == LoopKind::Unrolled ||
                              step.annotation == LoopKind::Vectorized ||
                              step.annotation == LoopKind::Parallel;
    if (can_be_plain) replace(schedule::Annotate{step.stage, step.iter, LoopKind::Serial}, true);
  }

  void vary(const schedule::Pragma& step) {
    if (!unroll_limit(step)) return;
    for (const std::int64_t limit : unroll_limits(kind_)) {
      schedule::Pragma other = unroll_pragma(step.stage, limit);
      other.iter = step.iter;
      replace(std::move(other), limit == 0);
    }
  }

  // The least prime factor of one level goes to another.
  void vary(const schedule::Split& step) {
    const schedule::Iterator& whole = iters(step.stage)[static_cast<std::size_t>(step.iter)];
    if (!whole.extent || std::ranges::any_of(step.lengths, [](auto length) { return !length; })) return;
    schedule::Split none = step;
    std::ranges::fill(none.lengths, 1);
    replace(std::move(none), true);
    std::vector<std::int64_t> levels(1);
    for (const auto& length : step.lengths) levels.push_back(*length);
    const std::int64_t inside =
        std::accumulate(levels.begin() + 1, levels.end(), std::int64_t{1}, std::multiplies<>());
    levels[0] = (*whole.extent + inside - 1) / inside;
    for (std::size_t from = 0; from < levels.size(); ++from) {
      for (std::size_t to = 0; to < levels.size() && levels[from] > 1; ++to) {
        const std::int64_t factor = least_prime_factor(levels[from]);
        schedule::Split other = step;
        if (from > 0) other.lengths[from - 1] = levels[from] / factor;
        if (to > 0) other.lengths[to - 1] = levels[to] * factor;
        if (to != from) replace(std::move(other));
      }
    }
  }

  void vary(const schedule::Reorder& step) {
    schedule::Reorder none = step;
    std::ranges::sort(none.order);
    replace(std::move(none), true);
    for (std::size_t i = 0; i + 1 < step.order.size(); ++i) {
      schedule::Reorder other = step;
      std::swap(other.order[i], other.order[i + 1]);
      replace(std::move(other));
    }
  }

  // Loops that are no longer fused, or now are, change the numbers of those behind them.
  void vary(const schedule::Fuse& step) {
    if (step.iters.empty()) return;
    const auto with = [&](int count, bool is_undone) {
      Steps steps = steps_;
      auto& fused = std::get<schedule::Fuse>(steps[at_]);
      fused.iters.resize(static_cast<std::size_t>(count));
      std::iota(fused.iters.begin(), fused.iters.end(), step.iters.front());
      const Shift shift{step.stage, step.iters.front() + 1,
                        static_cast<int>(step.iters.size()) - count};
      for (std::size_t i = at_ + 1; i < steps.size(); ++i) std::visit(shift, steps[i]);
      offer(std::move(steps), is_undone);
    };
    const int count = static_cast<int>(step.iters.size());
    const int most = static_cast<int>(iters(step.stage).size()) - step.iters.front();
    if (count > 1) with(1, true);
    if (count > 2) with(count - 1, false);
    if (count < most) with(count + 1, false);
  }

  void vary(const schedule::ComputeAt& step) {
    const int n = static_cast<int>(iters(step.target_stage).size());
    for (int iter = 0; iter < n; ++iter)
      replace(schedule::ComputeAt{step.stage, step.target_stage, iter});
    replace(schedule::ComputeRoot{step.stage}, true);
  }
  void vary(const schedule::ComputeInline& step) { replace(schedule::ComputeRoot{step.stage}, true); }

  void vary(const schedule::Prefetch& step) {
    for (const std::int64_t distance : kPrefetchDistances) {
      schedule::Prefetch other = step;
      other.iterations = static_cast<int>(distance);
      if (distance > 0) replace(other);
    }
  }
  template <class Other>
  void vary(const Other&) {}

  const TaskPtr& task_;
  const Steps& steps_;
  const Hardware::Kind kind_;
  schedule::State state_;  // before step `at_`
  std::size_t at_ = 0;
  std::vector<Alternative> found_;
};

}  // namespace

std::vector<Alternative> alternatives(const TaskPtr& task, const Steps& steps, Hardware::Kind kind) {
  return Finder(task, steps, kind).run();
}

}  // namespace hone::space
