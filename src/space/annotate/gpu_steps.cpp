#include "space/annotate/gpu_steps.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "schedule/apply.h"
#include "space/annotate/unroll.h"

namespace hone::space {
namespace {

using ir::LoopKind;
using schedule::IterKind;
using schedule::Location;

class ThreadBinder {
 public:
  ThreadBinder(const std::shared_ptr<const task::Task>& task, const schedule::Steps& sketch,
               const Hardware& hardware)
      : hardware_(hardware), state_(schedule::replay(task, sketch)), n_sketch_(sketch.size()) {
    const task::Analysis analysis = task::analyse(*state_.task);
    for (int s = 0; s < n_stages(); ++s) {
      if (!is_computed(s) || !analysis.needs_multi_level_tiling[static_cast<std::size_t>(s)]) continue;
      tiling_roots_.insert(stage(s).location == Location::Iter ? stage(s).attach_stage : s);
    }
  }

  schedule::Steps run() {
    for (int s = n_stages() - 1; s >= 0; --s) {
      if (is_computed(s)) bind(s);
    }
    for (int s = 0; s < n_stages(); ++s) {
      if (is_computed(s)) unroll(s);
    }
    return std::move(state_.steps);
  }

 private:
  int n_stages() const { return static_cast<int>(state_.stages.size()); }
  const schedule::Stage& stage(int s) const { return state_.stages[static_cast<std::size_t>(s)]; }
  const task::Op& op(int s) const { return state_.task->ops[static_cast<std::size_t>(s)]; }
  bool is_computed(int s) const {
    return !op(s).is_placeholder() && stage(s).location != Location::Inlined;
  }
  void add(const schedule::Step& step) { schedule::apply(state_, step); }

  void bind(int s) {
    const bool is_root = stage(s).location == Location::Root;
    if (reduces_across_threads(s)) {
      if (is_root) add(schedule::Annotate{s, fuse_outer_space(s), LoopKind::BlockX});
    } else if (has_thread_loop(s)) {
      return;
    } else if (is_root) {
      tiling_roots_.contains(s) ? bind_tiles(s) : bind_plain(s);
    } else if (stage(s).name.ends_with(".shared")) {
      bind_fetch(s);
    }
  }

  bool has_thread_loop(int s) const {
    return std::ranges::any_of(stage(s).iters,
                               [](const auto& i) { return i.annotation == LoopKind::ThreadX; });
  }
  // The stage itself or one that is computed inside it.
  bool reduces_across_threads(int s) const {
    const auto reduces = [](const schedule::Stage& st) {
      return std::ranges::any_of(st.iters, [](const auto& i) {
        return i.annotation == LoopKind::ThreadX && i.kind == IterKind::Reduction;
      });
    };
    return reduces(stage(s)) || std::ranges::any_of(state_.stages, [&](const schedule::Stage& other) {
             return other.location == Location::Iter && other.attach_stage == s && reduces(other);
           });
  }

  // Fuses the leading space iterators up to the first at which something is computed.
  int fuse_outer_space(int s) {
    std::vector<int> members;
    for (int i = 0; i < static_cast<int>(stage(s).iters.size()); ++i) {
      const schedule::Iterator& iter = stage(s).iters[static_cast<std::size_t>(i)];
      if (iter.kind == IterKind::Reduction || iter.annotation != LoopKind::Serial) break;
      if (i > 0 && schedule::has_attached(state_, s, i - 1)) break;
      members.push_back(i);
    }
    if (members.size() != 1) add(schedule::Fuse{s, members});
    return 0;
  }

  void bind_plain(int s) {
    std::int64_t extent = 1;
    for (const task::Axis& axis : op(s).axes) extent *= axis.extent;
    fuse_outer_space(s);
    if (extent <= hardware_.warp) {
      add(schedule::Annotate{s, 0, LoopKind::ThreadX});
      return;
    }
    add(schedule::Split{s, 0, extent, {std::int64_t{hardware_.warp}}, true});
    add(schedule::Annotate{s, 0, LoopKind::BlockX});
    add(schedule::Annotate{s, 1, LoopKind::ThreadX});
  }

  // Tiles of the first three levels become blocks, virtual threads and threads.
  void bind_tiles(int s) {
    const LoopKind kinds[] = {LoopKind::BlockX, LoopKind::Vthread, LoopKind::ThreadX};
    const char* const levels[] = {".0", ".1", ".2"};
    for (int level = 0; level < 3; ++level) {
      std::vector<int> members;
      for (std::size_t a = 0; a < op(s).axes.size(); ++a) {
        const auto i = static_cast<std::size_t>(level) + a;
        if (i >= stage(s).iters.size() || !stage(s).iters[i].name.ends_with(levels[level])) break;
        members.push_back(static_cast<int>(i));
      }
      add(schedule::Fuse{s, members});
      add(schedule::Annotate{s, level, kinds[level]});
    }
  }

  // All threads of the block fetch what they share.
  void bind_fetch(int s) {
    std::vector<int> all(stage(s).iters.size());
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int> sources = spatial_splits(stage(s).attach_stage);
    add(schedule::Fuse{s, all});
    add(schedule::Split{s, 0, std::nullopt, {std::int64_t{1}}, true});
    add(schedule::Annotate{s, 1, LoopKind::Vectorized});
    add(schedule::FollowFusedSplit{s, 0, sources, 1, true});
    add(schedule::Annotate{s, 1, LoopKind::ThreadX});
  }

  // The splits of the stage's space axes, last first: those of its reduce axes come after them. Steps
  // name stages as they were numbered then.
  std::vector<int> spatial_splits(int s) const {
    const auto is_split = [&](const task::Axis& axis) {
      const auto& whole = op(s).hints.no_split_at_inner;
      return std::ranges::find(whole, ir::name_of(axis.var)) == whole.end();
    };
    auto n_reduce = std::ranges::count_if(op(s).reduce_axes, is_split);
    std::vector<int> found;
    for (int k = static_cast<int>(n_sketch_) - 1; k >= 0; --k) {
      const schedule::Step& step = state_.steps[static_cast<std::size_t>(k)];
      const bool adds_stage = std::holds_alternative<schedule::CacheRead>(step) ||
                              std::holds_alternative<schedule::CacheWrite>(step) ||
                              std::holds_alternative<schedule::Rfactor>(step);
      if (adds_stage && s > schedule::stage_of(step)) --s;
      if (!std::holds_alternative<schedule::Split>(step) || schedule::stage_of(step) != s) continue;
      if (n_reduce-- <= 0) found.push_back(k);
    }
    return found;
  }

  void unroll(int s) {
    const auto& iters = stage(s).iters;
    if (!op(s).hints.always_unroll_inner.empty()) {
      for (const int iter : always_unrolled(op(s), named_loops(s))) {
        add(schedule::Annotate{s, iter, LoopKind::Unrolled});
      }
    }
    const bool has_reduction =
        std::ranges::any_of(iters, [](const auto& i) { return i.kind == IterKind::Reduction; });
    if (has_reduction) add(unroll_pragma(s, 0));
  }
  std::vector<NamedLoop> named_loops(int s) const {
    const std::vector<std::uint64_t> axes =
        origins(stage(s), op(s).axes.size() + op(s).reduce_axes.size());
    std::vector<NamedLoop> loops;
    for (const schedule::Iterator& iter : stage(s).iters) {
      loops.push_back({axes[static_cast<std::size_t>(iter.loop)], iter.annotation != LoopKind::Serial});
    }
    return loops;
  }

  const Hardware& hardware_;
  schedule::State state_;
  std::size_t n_sketch_;
  std::set<int> tiling_roots_;
};

}  // namespace

schedule::Steps with_threads(const std::shared_ptr<const task::Task>& task,
                             const schedule::Steps& sketch, const Hardware& hardware) {
  return ThreadBinder(task, sketch, hardware).run();
}

}  // namespace hone::space
