#include <algorithm>

#include "space/annotate/choices.h"

namespace hone::space {
namespace {

using schedule::IterKind;

// Registers of the tile below the innermost reduction loop; loops of one iteration do not count. Where
// nothing is reduced, nothing is held.
std::int64_t accumulators(const schedule::Stage& stage, const std::vector<std::int64_t>& extents,
                          std::int64_t vector_loops, std::int64_t lanes) {
  std::int64_t elements = 1, others = 1;
  std::int64_t left = vector_loops;
  for (std::size_t i = stage.iters.size(); i-- > 0;) {
    if (stage.iters[i].kind == IterKind::Reduction && extents[i] > 1) {
      return (elements + lanes - 1) / lanes * others;
    }
    (left-- > 0 ? elements : others) *= extents[i];
  }
  return 0;
}

}  // namespace

Usage usage_of(const SketchView& sketch, const Decisions& decisions, int vector_bits) {
  const Outline& outline = sketch.outline;
  const Layout layout = layout_of(outline, decisions);
  const IterExtents extents = sketch.arithmetic.settle_all(decisions, layout);
  Usage usage;
  for (int s = 0; s < outline.n_stages(); ++s) {
    const std::vector<std::int64_t>& lengths = extents[static_cast<std::size_t>(s)];
    if (lengths.empty()) continue;
    const schedule::Stage& stage = outline.stage(s);
    const std::int64_t bits = ir::bits(outline.op(s).output()->type.scalar);
    const int vector = outline.site(s).vector;
    if (outline.fact(s).has_reduction) {
      const std::int64_t loops = vector > 0 ? decisions[static_cast<std::size_t>(vector)] : 0;
      usage.accumulators =
          std::max(usage.accumulators,
                   accumulators(stage, lengths, loops, std::max<std::int64_t>(vector_bits / bits, 1)));
    }
    if (layout[static_cast<std::size_t>(s)].kind != Place::Kind::At) continue;
    std::int64_t bytes = bits / 8;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      if (stage.iters[i].kind != IterKind::Reduction) bytes *= lengths[i];
    }
    usage.scratch_bytes = std::max(usage.scratch_bytes, bytes);
  }
  return usage;
}

}  // namespace hone::space
