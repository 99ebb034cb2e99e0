#include <algorithm>

#include "space/annotate/balanced.h"
#include "space/annotate/choices.h"
#include "space/annotate/unroll.h"

namespace hone::space {
namespace {

constexpr std::int64_t kMaxVector = 16;           // Ansor's max_vectorize_size
constexpr std::int64_t kParallelLoopsACore = 16;  // iterations that are enough for one core

constexpr std::int64_t kBalancedShare = 4;  // one split in four where any size will do

std::int64_t& entry(Decisions& decisions, int e) { return decisions[static_cast<std::size_t>(e)]; }

void draw_place(const SketchView& sketch, Layout& layout, const IterExtents& extents, int stage,
                Decisions& decisions, Random& random) {
  const Outline& outline = sketch.outline;
  Place& place = layout[static_cast<std::size_t>(stage)];
  const std::vector<Place> places = candidate_places(outline, layout, extents, stage);
  const auto choice =
      static_cast<std::size_t>(random.below(static_cast<std::int64_t>(places.size()) + 2));
  const bool is_inside = place.kind == Place::Kind::At;
  if (choice >= 2) {
    place = places[choice - 2];
  } else if (choice == 1 && is_inside) {
    place = {Place::Kind::Root};
  } else if (choice == 0 && is_inside && !outline.fact(stage).has_reduction) {
    place = {Place::Kind::Inline};
  } else {
    return;  // as sketched: asking for the root once more would be the same program
  }
  entry(decisions, outline.site(stage).place) = to_entry(place);
}

// Ansor fuses fewer loops than it could: the full number is never drawn.
int draw_vector(const SketchView& sketch, const Layout& layout, const IterExtents& extents, int stage,
                int parallel, Random& random) {
  const std::vector<std::int64_t>& lengths = extents[static_cast<std::size_t>(stage)];
  const int most = max_vector(sketch.outline, layout, stage, parallel);
  std::int64_t elements = 1;
  int count = 0;
  while (count < most) {
    elements *= lengths[lengths.size() - 1 - static_cast<std::size_t>(count)];
    if (elements > kMaxVector) break;
    ++count;
  }
  return count > 1 ? 1 + static_cast<int>(random.below(count - 1)) : count;
}

}  // namespace

void draw_lengths(const SketchView& sketch, Decisions& decisions, Random& random) {
  for (const SplitSite& site : sketch.outline.splits) {
    if (site.first == 0) continue;
    if (sketch.any_size && site.fallback.empty() && random.below(kBalancedShare) == 0) {
      draw_balanced(site, decisions, random);
      continue;
    }
    const Lengths* lengths = &site.fallback;
    if (lengths->empty()) {
      lengths = &(*site.factorings)[static_cast<std::size_t>(
          random.below(static_cast<std::int64_t>(site.factorings->size())))];
    }
    std::ranges::copy(*lengths, decisions.begin() + site.first);
  }
}

void draw_unroll(const SketchView& sketch, Decisions& decisions, Random& random) {
  const auto limits = unroll_limits(sketch.hardware.kind);
  for (const StageSites& sites : sketch.outline.sites) {
    if (sites.unroll == 0) continue;
    entry(decisions, sites.unroll) =
        limits[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(limits.size())))];
  }
}

int enough_parallel(const SketchView& sketch, const Layout& layout, const IterExtents& extents,
                    int stage) {
  const int most = max_parallel(sketch.outline, layout, stage);
  std::int64_t iterations = 1;
  int count = 0;
  while (count < most && iterations <= kParallelLoopsACore * sketch.hardware.cores) {
    iterations *= extents[static_cast<std::size_t>(stage)][static_cast<std::size_t>(count++)];
  }
  return count;
}

void draw_places(const SketchView& sketch, Decisions& decisions, Random& random) {
  const Outline& outline = sketch.outline;
  Layout layout = layout_of(outline, decisions);
  IterExtents extents(layout.size());
  for (int s = outline.n_stages() - 1; s >= 0; --s) {
    if (outline.site(s).place > 0) draw_place(sketch, layout, extents, s, decisions, random);
    sketch.arithmetic.settle(decisions, layout, s, extents);
  }
  for (int s = 0; s < outline.n_stages(); ++s) {
    const StageSites& sites = outline.site(s);
    const Place::Kind kind = layout[static_cast<std::size_t>(s)].kind;
    int parallel = 0;
    if (sites.parallel > 0 && kind == Place::Kind::Root) {
      parallel = enough_parallel(sketch, layout, extents, s);
      entry(decisions, sites.parallel) = parallel;
    }
    if (sites.vector > 0 && kind != Place::Kind::Inline) {
      entry(decisions, sites.vector) = draw_vector(sketch, layout, extents, s, parallel, random);
    }
  }
}

}  // namespace hone::space
