#include "space/annotate/extents.h"

#include <algorithm>

namespace hone::space {

using Extents = std::vector<std::int64_t>;

// One iteration of an iterator, with all that is computed inside; the whole program for the root.
struct ExtentArithmetic::Window {
  const Decisions& decisions;
  const Layout& layout;
  const IterExtents& extents;
  const Place& place;
};

ExtentArithmetic::ExtentArithmetic(const Outline& outline)
    : outline_(outline), reads_(reads_by_producer(*outline.state.task, outline.analysis)) {}

Extents ExtentArithmetic::axis_extents(const Loops& loops, const Decisions& decisions) const {
  Extents extents;
  extents.reserve(loops.axes.size());
  for (const AxisExtent& axis : loops.axes) {
    if (axis.factored < 0) {
      extents.push_back(axis.constant);
      continue;
    }
    const Loops& before = outline_.factored[static_cast<std::size_t>(axis.factored)];
    const std::size_t n_loops = before.axes.size() + 2 * before.relations.size();
    const Extents all = loop_extents(before, axis_extents(before, decisions), n_loops, decisions);
    extents.push_back(all[static_cast<std::size_t>(axis.loop)]);
  }
  return extents;
}

Extents ExtentArithmetic::loop_extents(const Loops& loops, Extents axes, std::size_t n_loops,
                                       const Decisions& decisions) const {
  axes.resize(n_loops, 1);
  const auto at = [&](int loop) -> std::int64_t& { return axes[static_cast<std::size_t>(loop)]; };
  for (std::size_t i = 0; i < loops.relations.size(); ++i) {
    const schedule::Relation& r = loops.relations[i];
    if (r.kind == schedule::Relation::Kind::Fuse) {
      at(r.whole) = at(r.outer) * at(r.inner);
      continue;
    }
    const std::int64_t size = std::max<std::int64_t>(loops.sizes[i].value(decisions), 1);
    const std::int64_t extent = at(r.whole);
    at(r.by_parts ? r.outer : r.inner) = std::min(extent, size);
    at(r.by_parts ? r.inner : r.outer) = (extent + size - 1) / size;
  }
  return axes;
}

// How far each axis of the window's own stage runs inside it.
Extents ExtentArithmetic::running_axes(const Window& window) const {
  const schedule::Stage& stage = outline_.stage(window.place.stage);
  const Loops& loops = outline_.loops[static_cast<std::size_t>(window.place.stage)];
  const Extents& iters = window.extents[static_cast<std::size_t>(window.place.stage)];
  Extents whole(stage.loops.size(), 1), running(stage.loops.size(), 1);
  for (std::size_t i = 0; i < stage.iters.size(); ++i) {
    const auto loop = static_cast<std::size_t>(stage.iters[i].loop);
    whole[loop] = iters[i];
    if (static_cast<int>(i) > window.place.iter) running[loop] = iters[i];
  }
  for (auto r = loops.relations.rbegin(); r != loops.relations.rend(); ++r) {
    const auto w = static_cast<std::size_t>(r->whole), outer = static_cast<std::size_t>(r->outer),
               inner = static_cast<std::size_t>(r->inner);
    if (r->kind == schedule::Relation::Kind::Split) {
      whole[w] = whole[outer] * whole[inner];
      running[w] = (running[outer] - 1) * whole[inner] + running[inner];
    } else if (running[w] > 1) {
      // A fused loop runs or stands still: its parts are as long as the axes they come from.
      for (const std::size_t part : {outer, inner}) {
        const bool is_axis = part < loops.axes.size();
        whole[part] = running[part] =
            is_axis ? std::max<std::int64_t>(loops.axes[part].constant, 1) : 1;
      }
    }
  }
  running.resize(loops.axes.size());
  return running;
}

// The part of the stage's result that the window reads.
Extents ExtentArithmetic::needed(const Window& window, int stage) const {
  const Extents whole = axis_extents(outline_.loops[static_cast<std::size_t>(stage)], window.decisions);
  const std::size_t n_axes = outline_.op(stage).axes.size();
  const std::vector<ReadTerms>& reads = reads_[static_cast<std::size_t>(stage)];
  if (reads.empty()) return {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n_axes)};
  Extents region(n_axes, 1);
  for (const ReadTerms& read : reads) {
    Extents reader;
    if (read.reader == window.place.stage) {
      reader = running_axes(window);
    } else {
      reader = needed(window, read.reader);
      const Extents all =
          axis_extents(outline_.loops[static_cast<std::size_t>(read.reader)], window.decisions);
      reader.insert(reader.end(), all.begin() + static_cast<std::ptrdiff_t>(reader.size()), all.end());
    }
    for (std::size_t a = 0; a < n_axes; ++a) {
      region[a] = std::max(region[a], touched(read.index[a], reader, whole[a]));
    }
  }
  return region;
}

void ExtentArithmetic::settle(const Decisions& decisions, const Layout& layout, int stage,
                              IterExtents& extents) const {
  if (outline_.op(stage).is_placeholder()) return;
  const Place& place = layout[static_cast<std::size_t>(stage)];
  if (place.kind == Place::Kind::Inline) return;
  const Loops& loops = outline_.loops[static_cast<std::size_t>(stage)];
  Extents axes = axis_extents(loops, decisions);
  std::ranges::copy(needed({decisions, layout, extents, place}, stage), axes.begin());
  const schedule::Stage& sketched = outline_.stage(stage);
  const Extents all = loop_extents(loops, std::move(axes), sketched.loops.size(), decisions);
  Extents& iters = extents[static_cast<std::size_t>(stage)];
  iters.clear();
  for (const schedule::Iterator& iter : sketched.iters) {
    iters.push_back(all[static_cast<std::size_t>(iter.loop)]);
  }
}

IterExtents ExtentArithmetic::settle_all(const Decisions& decisions, const Layout& layout) const {
  IterExtents extents(layout.size());
  for (int s = outline_.n_stages() - 1; s >= 0; --s) settle(decisions, layout, s, extents);
  return extents;
}

}  // namespace hone::space
