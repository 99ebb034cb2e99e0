#include "space/annotate/gpu_limits.h"

#include <algorithm>
#include <map>

namespace hone::space {
namespace {

using ir::LoopKind;
using schedule::Relation;

std::int64_t element_bytes(const task::Op& op) {
  return std::max<std::int64_t>(ir::bits(op.output()->type.scalar) / 8, 1);
}

// The extent of a loop that is an axis, an inner part of a split or fused of such.
Size size_of(const Loops& loops, int loop) {
  for (std::size_t i = 0; i < loops.relations.size(); ++i) {
    const Relation& r = loops.relations[i];
    if (r.kind == Relation::Kind::Split && r.inner == loop) return loops.sizes[i];
    if (r.kind == Relation::Kind::Fuse && r.whole == loop) {
      Size size = size_of(loops, r.outer);
      multiply(size, size_of(loops, r.inner));
      return size;
    }
  }
  const auto axis = static_cast<std::size_t>(loop);
  return axis < loops.axes.size() ? Size{loops.axes[axis].constant} : Size{};
}

// What all splits of an axis leave to the inside of its outermost loop; the axis when it is not split.
Size tile_of(const Loops& loops, int axis) {
  Size tile;
  int loop = axis;
  for (std::size_t i = 0; i < loops.relations.size(); ++i) {
    const Relation& r = loops.relations[i];
    if (r.kind != Relation::Kind::Split || r.whole != loop) continue;
    multiply(tile, loops.sizes[i]);
    loop = r.outer;
  }
  return loop == axis ? Size{loops.axes[static_cast<std::size_t>(axis)].constant} : tile;
}

bool is_shared(const schedule::Stage& stage) {
  return stage.location == schedule::Location::Iter && stage.name.ends_with(".shared");
}

}  // namespace

GpuLimits::GpuLimits(const Outline& outline, const Hardware& hardware)
    : max_shared_bytes_(hardware.max_shared_bytes) {
  const auto reads = reads_by_producer(*outline.state.task, outline.analysis);
  for (int s = 0; s < outline.n_stages(); ++s) {
    add_loops(outline, hardware, s);
    const auto& reads_of_stage = reads[static_cast<std::size_t>(s)];
    if (is_shared(outline.stage(s)) && !reads_of_stage.empty()) {
      add_fetch(outline, s, reads_of_stage.front());
    }
  }
}

void GpuLimits::add_loops(const Outline& outline, const Hardware& hardware, int s) {
  const schedule::Stage& stage = outline.stage(s);
  const Loops& loops = outline.loops[static_cast<std::size_t>(s)];
  std::int64_t points = 1;
  for (const AxisExtent& axis : loops.axes) points *= axis.constant;
  bool is_tiled = false;  // over virtual threads as well
  for (const schedule::Iterator& iter : stage.iters) {
    const Size size = size_of(loops, iter.loop);
    if (iter.annotation == LoopKind::Vthread) {
      limits_.push_back({size, 1, hardware.max_vthread});
      is_tiled = true;
    }
    if (iter.annotation == LoopKind::ThreadX) {
      const bool fills_warp = is_tiled && points > 2 * std::int64_t{hardware.warp};
      limits_.push_back({size, fills_warp ? hardware.warp : 1, hardware.max_threads});
    }
    if (iter.annotation == LoopKind::Vectorized && is_shared(stage)) {
      const std::int64_t widest = hardware.vector_bytes / element_bytes(outline.op(s));
      limits_.push_back({size, 1, std::max<std::int64_t>(widest, 1)});
    }
  }
}

void GpuLimits::add_fetch(const Outline& outline, int s, const ReadTerms& read) {
  Fetch fetch{read, {}, {}, outline.op(s).output()->shape, element_bytes(outline.op(s))};
  const Loops& reader = outline.loops[static_cast<std::size_t>(read.reader)];
  for (std::size_t a = 0; a < reader.axes.size(); ++a) {
    fetch.tiles.push_back(tile_of(reader, static_cast<int>(a)));
    fetch.extents.push_back(reader.axes[a].constant);
  }
  fetches_.push_back(std::move(fetch));
}

std::int64_t GpuLimits::shared_bytes(const Fetch& fetch, const Decisions& decisions) const {
  std::vector<std::int64_t> tiles;
  for (std::size_t a = 0; a < fetch.tiles.size(); ++a) {
    tiles.push_back(std::min(fetch.tiles[a].value(decisions), fetch.extents[a]));
  }
  std::int64_t bytes = fetch.element_bytes;
  for (std::size_t d = 0; d < fetch.shape.size(); ++d) {
    bytes *= touched(fetch.read.index[d], tiles, fetch.shape[d]);
  }
  return bytes;
}

bool GpuLimits::allow(const Decisions& decisions) const {
  for (const Between& limit : limits_) {
    const std::int64_t size = limit.size.value(decisions);
    if (size < limit.least || size > limit.most) return false;
  }
  // Copies for one reader live at the same time.
  std::map<int, std::int64_t> bytes;
  for (const Fetch& fetch : fetches_) {
    std::int64_t& sum = bytes[fetch.read.reader];
    sum += shared_bytes(fetch, decisions);
    if (sum > max_shared_bytes_) return false;
  }
  return true;
}

}  // namespace hone::space
