#include "tests/property/random_schedule.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "schedule/threads.h"
#include "tests/property/random.h"

namespace hone::property {
namespace {

using schedule::Iterator;
using schedule::IterKind;
using schedule::Location;
using schedule::State;
using schedule::Step;

constexpr std::uint64_t kStream = 2;
constexpr double kMostIterations = 3e5;  // of the innermost loops, all stages together
constexpr std::int64_t kMostUnrolled = 16, kMostVectorized = 64;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class Generator {
 public:
  Generator(std::shared_ptr<const task::Task> task, std::uint64_t seed)
      : state_(schedule::initial_state(std::move(task))), random_(seed, kStream) {
    schedule::infer_bounds(state_);
  }

  // New stages first: most of them ask for loops as the task has them. Annotations come last, since
  // splitting and fusing drop them; between, all kinds in any order.
  State run() {
    for (int n = random_.between(1, 4); n > 0; --n) add_stage();
    for (int n = random_.between(8, 24); n > 0; --n) change_loops_or_places();
    for (int n = random_.between(3, 8); n > 0; --n) annotate();
    return std::move(state_);
  }

 private:
  int n_stages() const { return static_cast<int>(state_.stages.size()); }
  int n_iters(int s) const { return static_cast<int>(state_.stages[at(s)].iters.size()); }
  const task::Op& op(int s) const { return state_.task->ops[at(s)]; }
  const Iterator& iter(int s, int i) const { return state_.stages[at(s)].iters[at(i)]; }

  bool attempt(const Step& step) {
    State next = state_;
    try {
      schedule::apply(next, step);
      schedule::infer_bounds(next);
    } catch (const UserError&) {
      return false;
    }
    if (iterations(next) > kMostIterations) return false;
    state_ = std::move(next);
    return true;
  }

  static double iterations(const State& state) {
    double all = 0;
    for (int s = 0; s < static_cast<int>(state.stages.size()); ++s) {
      if (state.task->ops[at(s)].is_placeholder() ||
          state.stages[at(s)].location == Location::Inlined) {
        continue;
      }
      double own = 1;
      for (const Iterator& i : state.stages[at(s)].iters) own *= static_cast<double>(*i.extent);
      for (const schedule::LoopPlace& place : schedule::attach_path(state, s)) {
        own *= static_cast<double>(state.bounds.extent(place.stage, place.loop));
      }
      all += own;
    }
    return all;
  }

  std::vector<int> readers(int s) const {
    std::vector<int> found;
    for (int r = 0; r < n_stages(); ++r) {
      const auto reads = task::reads_of(op(r));
      if (std::find(reads.begin(), reads.end(), op(s).output()) != reads.end()) found.push_back(r);
    }
    return found;
  }

  // A stage with loops. Every second time the one with the most of them, where tiling happens.
  int a_stage() {
    std::vector<int> computed;
    for (int s = 0; s < n_stages(); ++s) {
      if (!op(s).is_placeholder()) computed.push_back(s);
    }
    if (random_.chance(50)) return random_.one_of(computed);
    return *std::max_element(computed.begin(), computed.end(),
                             [&](int a, int b) { return n_iters(a) < n_iters(b); });
  }
  int an_iter(int s) { return random_.below(at(std::max(n_iters(s), 1))); }

  std::vector<int> stages_read() const {
    std::vector<int> found;
    for (int s = 0; s < n_stages(); ++s) {
      if (!readers(s).empty()) found.push_back(s);
    }
    return found;
  }

  void add_stage() {
    switch (random_.below(4)) {
      case 0:
        return cache_read();
      case 1:
        attempt(schedule::CacheWrite{a_stage(), random_.chance(50) ? "local" : "global"});
        return;
      case 2:
        return factor();
      default:
        inline_stage();
    }
  }

  void cache_read() {
    const int s = random_.one_of(stages_read());
    std::vector<int> by = readers(s);
    if (random_.chance(30)) by = {random_.one_of(by)};
    attempt(schedule::CacheRead{s, random_.chance(50) ? "local" : "global", by});
  }

  void factor() {
    std::vector<int> reductions;
    for (int s = 0; s < n_stages(); ++s) {
      if (op(s).reducer != task::Reducer::None) reductions.push_back(s);
    }
    if (reductions.empty()) return;
    const int s = random_.one_of(reductions);
    const int n_axes = static_cast<int>(op(s).axes.size());
    const int first = n_axes + random_.below(op(s).reduce_axes.size());
    if (random_.chance(70)) split(s, first);
    attempt(schedule::Rfactor{s, std::min(first + random_.below(2), n_iters(s) - 1),
                              random_.below(at(n_axes + 1))});
  }

  void change_loops_or_places() {
    const int s = a_stage();
    const int draw = random_.below(100);
    if (draw < 30) return split(s, an_iter(s));
    if (draw < 38) return follow_split(s);
    if (draw < 46) return follow_fused_split(s);
    if (draw < 58) return fuse(s);
    if (draw < 68) return reorder(s);
    if (draw < 84) return compute_at();
    if (draw < 88) return inline_stage();
    if (draw < 92) return compute_root();
    if (draw < 95) return align(s);
    add_stage();
  }

  // A length that divides the extent, or any small one.
  std::int64_t length(std::int64_t extent) {
    if (random_.chance(50)) return random_.between(1, 9);
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 1; d <= std::min<std::int64_t>(extent, kMostVectorized); ++d) {
      if (extent % d == 0) divisors.push_back(d);
    }
    return random_.one_of(divisors);
  }

  void split(int s, int i) {
    if (i >= n_iters(s)) return;
    const std::int64_t extent = iter(s, i).extent.value_or(1);
    std::vector<std::optional<std::int64_t>> lengths;
    for (int n = random_.between(1, 3); n > 0; --n) lengths.emplace_back(length(extent));
    attempt(schedule::Split{s, i, extent, std::move(lengths), random_.chance(75)});
  }

  // Numbers of the steps that were splits.
  std::vector<int> splits() const {
    std::vector<int> found;
    for (int i = 0; i < static_cast<int>(state_.steps.size()); ++i) {
      if (std::holds_alternative<schedule::Split>(state_.steps[at(i)])) found.push_back(i);
    }
    return found;
  }
  int n_lengths(int split) const {
    return static_cast<int>(std::get<schedule::Split>(state_.steps[at(split)]).lengths.size());
  }

  void follow_split(int s) {
    const std::vector<int> sources = splits();
    if (sources.empty()) return;
    const int source = random_.one_of(sources);
    attempt(schedule::FollowSplit{s, an_iter(s), source, random_.between(1, n_lengths(source) + 1)});
  }

  void follow_fused_split(int s) {
    const std::vector<int> all = splits();
    if (all.empty()) return;
    std::vector<int> sources = {random_.one_of(all)};
    if (random_.chance(60)) sources.push_back(random_.one_of(all));
    int levels = n_lengths(sources.front());
    for (const int source : sources) levels = std::min(levels, n_lengths(source));
    attempt(schedule::FollowFusedSplit{s, an_iter(s), sources, random_.below(at(levels)),
                                       random_.chance(50)});
  }

  void fuse(int s) {
    const int first = an_iter(s);
    std::vector<int> iters;
    for (int i = first; i < std::min(first + random_.between(2, 3), n_iters(s)); ++i)
      iters.push_back(i);
    if (iters.size() > 1 || n_iters(s) == 0) attempt(schedule::Fuse{s, std::move(iters)});
  }

  void reorder(int s) {
    std::vector<int> order(at(n_iters(s)));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[at(random_.below(i))]);
    attempt(schedule::Reorder{s, std::move(order)});
  }

  void compute_at() {
    const int s = random_.one_of(stages_read());
    const int target = random_.one_of(readers(s));
    if (n_iters(target) > 0) attempt(schedule::ComputeAt{s, target, an_iter(target)});
  }

  void inline_stage() {
    std::vector<int> simple;
    for (const int s : stages_read()) {
      if (!op(s).is_placeholder() && op(s).reducer == task::Reducer::None) simple.push_back(s);
    }
    if (!simple.empty()) attempt(schedule::ComputeInline{random_.one_of(simple)});
  }

  void compute_root() {
    std::vector<int> attached;
    for (int s = 0; s < n_stages(); ++s) {
      if (state_.stages[at(s)].location == Location::Iter) attached.push_back(s);
    }
    attempt(schedule::ComputeRoot{attached.empty() ? a_stage() : random_.one_of(attached)});
  }

  void align(int s) {
    attempt(schedule::StorageAlign{s, an_iter(s), 1 << random_.between(2, 6), random_.below(5)});
  }

  // What runs at once must not depend on itself, so reductions are only unrolled. Where a vector or a
  // parallel loop stands is free: outermost, innermost, or several of a kind inside each other.
  void annotate() {
    const int s = a_stage();
    if (n_iters(s) == 0) return;
    const int i = an_iter(s);
    const bool is_spatial = iter(s, i).kind == IterKind::Spatial;
    const std::int64_t extent = iter(s, i).extent.value_or(1);
    switch (random_.below(4)) {
      case 0:
        if (extent <= kMostUnrolled) attempt(schedule::Annotate{s, i, ir::LoopKind::Unrolled});
        return;
      case 1: {  // most often the innermost loop, where vectors are of use
        const int v = random_.chance(70) ? n_iters(s) - 1 : i;
        const bool fits = iter(s, v).extent.value_or(1) <= kMostVectorized;
        if (fits && iter(s, v).kind == IterKind::Spatial) {
          attempt(schedule::Annotate{s, v, ir::LoopKind::Vectorized});
        }
        return;
      }
      case 2:
        if (is_spatial) attempt(schedule::Annotate{s, i, ir::LoopKind::Parallel});
        return;
      default:
        attempt(schedule::Pragma{
            s, i, random_.chance(50) ? "auto_unroll_max_step$16" : "auto_unroll_max_step$64"});
    }
  }

  State state_;
  Random random_;
};

}  // namespace

schedule::State random_schedule(std::shared_ptr<const task::Task> task, std::uint64_t seed) {
  return Generator(std::move(task), seed).run();
}

}  // namespace hone::property
