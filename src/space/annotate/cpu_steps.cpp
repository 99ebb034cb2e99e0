#include "space/annotate/cpu_steps.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "space/annotate/unroll.h"

namespace hone::space {
namespace {

std::vector<int> ids(int first, int count) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), first);
  return list;
}

class CpuWriter {
 public:
  CpuWriter(const Outline& outline, const Decisions& decisions, schedule::Steps& steps)
      : outline_(outline),
        decisions_(decisions),
        layout_(layout_of(outline, decisions)),
        steps_(steps) {}

  bool run() {
    if (!write_places()) return false;
    for (int s = 0; s < outline_.n_stages(); ++s) {
      if (!write_parallel(s)) return false;
    }
    for (int s = 0; s < outline_.n_stages(); ++s) write_unroll(s);
    for (int s = 0; s < outline_.n_stages(); ++s) {
      if (!write_vector(s)) return false;
    }
    return true;
  }

 private:
  std::int64_t value(int entry) const {
    return entry > 0 ? decisions_[static_cast<std::size_t>(entry)] : 0;
  }
  Place::Kind location(int s) const { return layout_[static_cast<std::size_t>(s)].kind; }
  int n_iters(int s) const { return static_cast<int>(outline_.stage(s).iters.size()); }
  int n_parallel(int s) const { return static_cast<int>(std::abs(value(outline_.site(s).parallel))); }

  bool fits(int s, const Place& place) const {
    if (place.kind != Place::Kind::At) return true;
    return place.stage > s && place.stage < outline_.n_stages() &&
           outline_.fact(place.stage).is_computed && location(place.stage) != Place::Kind::Inline &&
           place.iter >= 0 && place.iter < n_iters(place.stage);
  }

  bool write_places() {
    for (int s = outline_.n_stages() - 1; s >= 0; --s) {
      const int entry = outline_.site(s).place;
      if (entry == 0) continue;
      const Place place = place_from(value(entry));
      if (!fits(s, place)) return false;
      if (place.kind == Place::Kind::Root) steps_.push_back(schedule::ComputeRoot{s});
      if (place.kind == Place::Kind::Inline) {
        if (outline_.fact(s).has_reduction) return false;
        steps_.push_back(schedule::ComputeInline{s});
      }
      if (place.kind == Place::Kind::At) {
        steps_.push_back(schedule::ComputeAt{s, place.stage, place.iter});
      }
    }
    return is_visible(outline_, layout_);
  }

  bool write_parallel(int s) {
    const std::int64_t entry = value(outline_.site(s).parallel);
    if (entry == 0) return true;
    const int count = n_parallel(s);
    if (entry < kFusedAlone || location(s) != Place::Kind::Root) return false;
    if (count > max_parallel(outline_, layout_, s)) return false;
    if (count > 1 || entry == kFusedAlone) steps_.push_back(schedule::Fuse{s, ids(0, count)});
    steps_.push_back(schedule::Annotate{s, 0, ir::LoopKind::Parallel});
    return true;
  }

  void write_unroll(int s) {
    if (!outline_.fact(s).is_computed || location(s) == Place::Kind::Inline) return;
    if (!outline_.op(s).hints.always_unroll_inner.empty()) {
      for (const int iter : always_unrolled(outline_.op(s), named_loops(s))) {
        steps_.push_back(schedule::Annotate{s, iter, ir::LoopKind::Unrolled});
      }
    }
    const int entry = outline_.site(s).unroll;
    if (entry > 0) steps_.push_back(unroll_pragma(s, value(entry)));
  }
  std::vector<NamedLoop> named_loops(int s) const {
    const std::vector<std::uint64_t> axes =
        origins(outline_.stage(s), outline_.op(s).axes.size() + outline_.op(s).reduce_axes.size());
    std::vector<NamedLoop> loops;
    for (int i = 0; i < n_iters(s); ++i) {
      const schedule::Iterator& iter = outline_.stage(s).iters[static_cast<std::size_t>(i)];
      const std::uint64_t bits = axes[static_cast<std::size_t>(iter.loop)];
      if (i > 0 && i < n_parallel(s)) {
        loops.back().origins |= bits;
      } else {
        loops.push_back({bits, i < n_parallel(s) || iter.annotation != ir::LoopKind::Serial});
      }
    }
    return loops;
  }

  bool write_vector(int s) {
    const std::int64_t count = value(outline_.site(s).vector);
    if (count == 0) return true;
    const int fused_away = std::max(n_parallel(s) - 1, 0);
    if (count < 0 || location(s) == Place::Kind::Inline || count > n_iters(s) - n_parallel(s))
      return false;
    const int first = n_iters(s) - static_cast<int>(count);
    for (int i = first; i < n_iters(s); ++i) {
      const schedule::Iterator& iter = outline_.stage(s).iters[static_cast<std::size_t>(i)];
      const bool is_inner_reduction = iter.kind == schedule::IterKind::Reduction;
      if (is_inner_reduction || iter.annotation != ir::LoopKind::Serial) return false;
      if (i + 1 < n_iters(s) && has_attached(layout_, s, i)) return false;
    }
    if (count > 1) {
      steps_.push_back(schedule::Fuse{s, ids(first - fused_away, static_cast<int>(count))});
    }
    steps_.push_back(schedule::Annotate{s, first - fused_away, ir::LoopKind::Vectorized});
    return true;
  }

  const Outline& outline_;
  const Decisions& decisions_;
  const Layout layout_;
  schedule::Steps& steps_;
};

class CpuReader {
 public:
  CpuReader(const Outline& outline, Decisions& decisions) : outline_(outline), decisions_(decisions) {}

  void run(std::span<const schedule::Step> steps) {
    for (const schedule::Step& step : steps) {
      std::visit([&](const auto& kind) { read(kind); }, step);
      const auto* fuse = std::get_if<schedule::Fuse>(&step);
      fused_ = fuse != nullptr ? static_cast<std::int64_t>(fuse->iters.size()) : 0;
    }
  }

 private:
  void set(int stage, int StageSites::* which, std::int64_t value) {
    const bool is_known = stage >= 0 && stage < outline_.n_stages();
    const int entry = is_known ? outline_.site(stage).*which : 0;
    if (entry > 0) decisions_[static_cast<std::size_t>(entry)] = value;
  }
  void set_place(int stage, const Place& place) { set(stage, &StageSites::place, to_entry(place)); }

  void read(const schedule::ComputeRoot& step) { set_place(step.stage, {Place::Kind::Root}); }
  void read(const schedule::ComputeInline& step) { set_place(step.stage, {Place::Kind::Inline}); }
  void read(const schedule::ComputeAt& step) {
    set_place(step.stage, {Place::Kind::At, step.target_stage, step.target_iter});
  }
  void read(const schedule::Pragma& step) {
    set(step.stage, &StageSites::unroll, unroll_limit(step).value_or(0));
  }
  void read(const schedule::Annotate& step) {
    const std::int64_t count = std::max<std::int64_t>(fused_, 1);
    if (step.annotation == ir::LoopKind::Parallel) {
      set(step.stage, &StageSites::parallel, fused_ == 1 ? kFusedAlone : count);
    }
    if (step.annotation == ir::LoopKind::Vectorized) set(step.stage, &StageSites::vector, count);
  }
  template <class Other>
  void read(const Other& /*step*/) {}

  const Outline& outline_;
  Decisions& decisions_;
  std::int64_t fused_ = 0;  // loops that the step before fused; 0 when it was another
};

}  // namespace

void add_cpu_sites(Outline& outline) {
  for (int s = 0; s < outline.n_stages(); ++s) {
    const StageFacts& facts = outline.fact(s);
    if (!facts.is_computed) continue;
    StageSites& sites = outline.sites[static_cast<std::size_t>(s)];
    const bool is_movable = !facts.is_tiled && !facts.needs_tiling;
    if (is_movable) sites.place = add_entries(outline, Meaning::Place, s);
    if (is_movable || outline.stage(s).location == schedule::Location::Root) {
      sites.parallel = add_entries(outline, Meaning::Parallel, s);
    }
    if (facts.has_reduction) sites.unroll = add_entries(outline, Meaning::Unroll, s);
    sites.vector = add_entries(outline, Meaning::Vector, s);
  }
}

bool write_cpu_steps(const Outline& outline, const Decisions& decisions, schedule::Steps& steps) {
  return CpuWriter(outline, decisions, steps).run();
}

void read_annotation(const Outline& outline, std::span<const schedule::Step> steps,
                     Decisions& decisions) {
  CpuReader(outline, decisions).run(steps);
}

}  // namespace hone::space
