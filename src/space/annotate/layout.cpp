#include "space/annotate/layout.h"

#include <algorithm>

namespace hone::space {
namespace {

using schedule::IterKind;
using schedule::Location;

const Place& at(const Layout& layout, int stage) { return layout[static_cast<std::size_t>(stage)]; }

bool is_free(const schedule::Iterator& iter) {
  return iter.kind != IterKind::Reduction && iter.annotation == ir::LoopKind::Serial;
}

// The stage around whose loops all consumers are: the only one, or the one they all are in; -1: none.
int common_target(const Outline& outline, const Layout& layout, int stage) {
  const std::vector<int> readers = consumers(outline, layout, stage);
  if (readers.size() == 1) return readers.front();
  int common = -1;
  for (const int reader : readers) {
    const Place& place = at(layout, reader);
    const int root = place.kind == Place::Kind::At ? place.stage : reader;
    if (common >= 0 && common != root) return -1;
    common = root;
  }
  return common;
}

// Whether a stage computed at `place` is computed around `reader`.
bool is_around(const Layout& layout, const Place& place, int reader) {
  int iter = -1;  // the reader's own body is inside all of its loops
  while (reader != place.stage) {
    const Place& next = at(layout, reader);
    if (next.kind != Place::Kind::At) return false;
    reader = next.stage;
    iter = next.iter;
  }
  return iter < 0 || iter >= place.iter;
}

}  // namespace

Place place_of(const Outline& outline, int stage, const Decisions& decisions) {
  const int entry = outline.site(stage).place;
  if (entry > 0) {
    const Place place = place_from(decisions[static_cast<std::size_t>(entry)]);
    if (place.kind != Place::Kind::AsSketched) return place;
  }
  const schedule::Stage& sketched = outline.stage(stage);
  switch (sketched.location) {
    case Location::Root:
      return {Place::Kind::Root};
    case Location::Inlined:
      return {Place::Kind::Inline};
    case Location::Iter:
      break;
  }
  return {Place::Kind::At, sketched.attach_stage, sketched.attach_iter};
}

Layout layout_of(const Outline& outline, const Decisions& decisions) {
  Layout layout(outline.state.stages.size());
  for (int s = 0; s < outline.n_stages(); ++s) {
    layout[static_cast<std::size_t>(s)] = place_of(outline, s, decisions);
  }
  return layout;
}

bool has_attached(const Layout& layout, int stage, int iter) {
  return std::ranges::find(layout, Place{Place::Kind::At, stage, iter}) != layout.end();
}

std::vector<int> consumers(const Outline& outline, const Layout& layout, int stage) {
  std::vector<int> found;
  for (const int reader : outline.analysis.read_by[static_cast<std::size_t>(stage)]) {
    if (at(layout, reader).kind == Place::Kind::Inline) {
      for (const int further : consumers(outline, layout, reader)) found.push_back(further);
    } else {
      found.push_back(reader);
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool is_visible(const Outline& outline, const Layout& layout) {
  for (int s = 0; s < outline.n_stages(); ++s) {
    const Place& place = at(layout, s);
    if (place.kind != Place::Kind::At || outline.site(s).place == 0) continue;
    const std::vector<int> readers = consumers(outline, layout, s);
    if (readers.empty()) return false;
    for (const int reader : readers) {
      if (!is_around(layout, place, reader)) return false;
    }
  }
  return true;
}

std::vector<Place> candidate_places(const Outline& outline, const Layout& layout,
                                    const IterExtents& extents, int stage) {
  const int target = common_target(outline, layout, stage);
  if (target < 0) return {};
  std::vector<Place> places;
  const auto is_long = [&](int s, std::size_t i) {
    return extents[static_cast<std::size_t>(s)][i] != 1;
  };
  const Place& outer = at(layout, target);
  const auto& iters = outline.stage(target).iters;
  bool in_reduction = false;
  for (std::size_t i = 0; i < iters.size(); ++i) {
    const bool is_reduction = iters[i].kind == IterKind::Reduction;
    if (is_reduction && !outline.fact(target).is_tiled) break;
    if (iters[i].kind == IterKind::Spatial && in_reduction) break;
    in_reduction |= is_reduction;
    if (iters[i].annotation == ir::LoopKind::Unrolled) break;
    const bool is_covered = outer.kind == Place::Kind::At && iters[i].kind == IterKind::Spatial &&
                            iters[i].name.ends_with(".0");
    if (!is_long(target, i) || is_covered) continue;
    places.push_back({Place::Kind::At, target, static_cast<int>(i)});
    if (has_attached(layout, target, static_cast<int>(i))) break;
  }
  if (outer.kind != Place::Kind::At) return places;
  const auto& around = outline.stage(outer.stage).iters;
  for (std::size_t i = 0; i < around.size(); ++i) {
    if (!is_free(around[i]) || has_attached(layout, outer.stage, static_cast<int>(i))) break;
    if (is_long(outer.stage, i)) places.push_back({Place::Kind::At, outer.stage, static_cast<int>(i)});
  }
  return places;
}

int max_parallel(const Outline& outline, const Layout& layout, int stage) {
  const auto& iters = outline.stage(stage).iters;
  int count = 0;
  while (count < static_cast<int>(iters.size()) && is_free(iters[static_cast<std::size_t>(count)])) {
    if (has_attached(layout, stage, count++)) break;
  }
  return count;
}

int max_vector(const Outline& outline, const Layout& layout, int stage, int parallel) {
  const auto& iters = outline.stage(stage).iters;
  const bool one_only = outline.fact(stage).is_tiled || parallel > 1;
  const int most = static_cast<int>(iters.size()) - parallel;
  int count = 0;
  while (count < (one_only ? std::min(most, 1) : most)) {
    const int iter = static_cast<int>(iters.size()) - 1 - count;
    if (!is_free(iters[static_cast<std::size_t>(iter)]) || has_attached(layout, stage, iter)) break;
    ++count;
  }
  return count;
}

}  // namespace hone::space
