#include "feature/straight_line.h"

#include <algorithm>
#include <bit>

#include "feature/index.h"
#include "lower/passes.h"

namespace hone::feature {
namespace {

constexpr int kShareOfRegisters = 2;  // one in so many is free for what is not accumulated
constexpr std::int64_t kCopiesAtBorders = 3;
constexpr std::int64_t kBesideUpdate = 2;  // statements of a tile: the sum's beginning and its end

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// By loop: vectors by their annotation that are none in code.
std::vector<bool> without_vectors(const LoopTree& tree) {
  std::vector<bool> found(tree.loops.size());
  for (const Store& store : tree.stores) {
    for (int l = store.loop; l >= 0; l = tree.loops[at(l)].parent) {
      if (tree.loops[at(l)].kind == ir::LoopKind::Vectorized &&
          takes_turns(tree, store, tree.loops[at(l)].var))
        found[at(l)] = true;
    }
  }
  return found;
}

// As lower/unroll.cpp decides: from the inside out, while the block stays small.
std::vector<bool> written_out(const LoopTree& tree, const target::Target& target,
                              const std::vector<bool>& store_asks, const std::vector<bool>& is_cut) {
  const std::int64_t registers = target.vector_registers;
  struct Block {
    std::int64_t size = 0, limit = 0;
    int element_bytes = 1;
    bool keeps_loop = false;
    bool asks = false;  // there is a condition in here, which unrolling repeats
  };
  std::vector<Block> blocks(tree.loops.size());
  std::vector<bool> is_written_out(tree.loops.size());
  const std::vector<bool> is_none = without_vectors(tree);
  for (std::size_t i = 0; i < tree.stores.size(); ++i) {
    const Store& store = tree.stores[i];
    if (store.loop < 0) continue;
    Block& block = blocks[at(store.loop)];
    const bool asks = store_asks[i];
    block.asks |= asks;
    block.size += asks ? 2 : 1;  // a condition has two branches
    block.limit = std::max<std::int64_t>(block.limit, store.auto_unroll_max_step);
    block.element_bytes = std::max(block.element_bytes, tree.tensors[at(store.tensor)].element_bytes);
  }
  for (std::size_t l = tree.loops.size(); l-- > 0;) {
    const Loop& loop = tree.loops[l];
    Block& block = blocks[l];
    const bool is_vector = loop.kind == ir::LoopKind::Vectorized && !is_none[l];
    const bool is_marked = loop.kind == ir::LoopKind::Unrolled;
    const std::int64_t lanes = target.lanes(8 * block.element_bytes);
    const std::int64_t copies = is_vector ? (loop.extent + lanes - 1) / lanes : loop.extent;
    const std::int64_t limit = is_marked ? lower::kMaxUnrolledStatements
                               : block.asks
                                   ? registers
                                   : std::clamp(block.limit, registers, lower::kMaxUnrolledStatements);
    const bool may =
        !loop.is_clipped && !is_cut[l] &&
        (is_marked || ((loop.kind == ir::LoopKind::Serial || is_none[l]) && !block.keeps_loop));
    is_written_out[l] = is_vector || (may && copies * block.size <= limit);
    if (is_written_out[l]) block.size *= copies;
    if (loop.parent < 0) continue;
    Block& parent = blocks[at(loop.parent)];
    parent.size += block.size;
    parent.limit = std::max(parent.limit, block.limit);
    parent.element_bytes = std::max(parent.element_bytes, block.element_bytes);
    parent.asks |= block.asks;
    parent.keeps_loop |= block.keeps_loop || !is_written_out[l];
  }
  return is_written_out;
}

// A dimension of a padded operand that taps of a sum and tiles walk over together.
struct Border {
  int decided_at = -1;    // the innermost loop over tiles
  bool has_row = false;   // some loops of the tile walk over it, too
  std::vector<int> taps;  // loops
};

std::vector<Border> borders_of(const LoopTree& tree, const Store& store,
                               const std::vector<bool>& is_written_out) {
  const Access& written = store.accesses.front();
  std::vector<Border> borders;
  for (const Access& access : store.accesses) {
    for (const schedule::Sum& place : access.indices.front()) {
      Border border;
      for (int l = store.loop; l >= 0; l = tree.loops[at(l)].parent) {
        const Loop& loop = tree.loops[at(l)];
        if (loop.extent == 1 || !mentions(tree.vars, place, loop.var)) continue;
        if (!mentions(tree.vars, written, loop.var)) {
          border.taps.push_back(l);
        } else if (is_written_out[at(l)]) {
          border.has_row = true;
        } else {
          border.decided_at = std::max(border.decided_at, l);
        }
      }
      const auto is_same = [&](const Border& other) {
        return other.decided_at == border.decided_at && other.taps == border.taps;
      };
      if (border.taps.empty() || border.decided_at < 0) continue;
      if (std::ranges::none_of(borders, is_same)) borders.push_back(std::move(border));
    }
  }
  std::ranges::stable_sort(borders, {}, &Border::decided_at);
  return borders;
}

// What becomes of the conditions in the straight lines of an update. `partition` and `remainders` give
// the tiles at its borders copies of their own, from the outside in, unless these are too long.
struct Conditions {
  bool stay = false;
  std::vector<int> loops;  // that they cut short
};

Conditions conditions_of(const LoopTree& tree, const Store& store,
                         const std::vector<bool>& is_written_out) {
  if (store.operations.choices == 0) return {};
  if (store.accesses.front().kind != AccessKind::ReadWrite) return {.stay = true, .loops = {}};
  std::int64_t statements = 1;
  for (int l = store.loop; l >= 0 && is_written_out[at(l)]; l = tree.loops[at(l)].parent) {
    const Loop& loop = tree.loops[at(l)];
    if (loop.kind != ir::LoopKind::Vectorized) statements *= loop.extent;
  }
  Conditions found;
  std::int64_t copies = 1;
  for (const Border& border : borders_of(tree, store, is_written_out)) {
    const bool is_straight = border.has_row || std::ranges::all_of(border.taps, [&](int tap) {
                               return is_written_out[at(tap)];
                             });
    if (is_straight &&
        copies * kCopiesAtBorders * (statements + kBesideUpdate) <= lower::kMaxSplitStatements) {
      copies *= kCopiesAtBorders;
    } else if (border.has_row) {
      copies *= 2;
      found.stay = true;
    } else {
      found.loops.insert(found.loops.end(), border.taps.begin(), border.taps.end());
    }
  }
  return found;
}

// Lanes that an access of the store moves at once.
std::int64_t lanes_of(const LoopTree& tree, const Store& store, const Access& access,
                      const target::Target& target) {
  for (int l = store.loop; l >= 0; l = tree.loops[at(l)].parent) {
    const Loop& loop = tree.loops[at(l)];
    if (loop.kind != ir::LoopKind::Vectorized) continue;
    if (takes_turns(tree, store, loop.var)) return 1;
    const int native = target.lanes(8 * tree.tensors[at(store.tensor)].element_bytes);
    return mentions(tree.vars, access, loop.var) ? std::min<std::int64_t>(loop.extent, native) : 1;
  }
  return 1;
}

// Vectors that the loops inside of `outside` write.
std::int64_t vectors_of_line(const LoopTree& tree, const Store& store, int outside,
                             const target::Target& target) {
  const std::int64_t native = target.lanes(8 * tree.tensors[at(store.tensor)].element_bytes);
  std::int64_t vectors = 1;
  for (int l = store.loop; l != outside; l = tree.loops[at(l)].parent) {
    const Loop& loop = tree.loops[at(l)];
    const bool is_vector = loop.kind == ir::LoopKind::Vectorized;
    vectors *= is_vector ? native_vectors(loop.extent, native) : loop.extent;
  }
  return vectors;
}

}  // namespace

std::int64_t native_vectors(std::int64_t lanes, std::int64_t native) {
  return lanes / native + std::popcount(static_cast<std::uint64_t>(lanes % native));
}

bool takes_turns(const LoopTree& tree, const Store& store, schedule::Var var) {
  if (store.operations.choices == 0) return false;
  const Index& index = store.accesses.front().indices.front();
  return std::ranges::count_if(
             index, [&](const schedule::Sum& sum) { return mentions(tree.vars, sum, var); }) > 1;
}

int StraightLines::kept(const LoopTree& tree, int loop) const {
  while (loop >= 0 && is_written_out[at(loop)]) loop = tree.loops[at(loop)].parent;
  return loop;
}

StraightLines straight_lines(const LoopTree& tree, const target::Target& target) {
  StraightLines lines{.is_written_out = {}, .in_registers = std::vector<bool>(tree.tensors.size())};
  std::vector<bool> asks(tree.stores.size());  // by store: conditions stay in its straight lines
  std::vector<bool> is_cut(tree.loops.size());
  lines.is_written_out = written_out(tree, target, asks, is_cut);
  for (std::size_t i = 0; i < tree.stores.size(); ++i) {
    const Conditions conditions = conditions_of(tree, tree.stores[i], lines.is_written_out);
    asks[i] = conditions.stay;
    for (const int l : conditions.loops) is_cut[at(l)] = true;
  }
  if (std::ranges::find(asks, true) != asks.end() || std::ranges::find(is_cut, true) != is_cut.end())
    lines.is_written_out = written_out(tree, target, asks, is_cut);
  for (const Allocation& allocation : tree.allocations) {
    if (allocation.loop < 0) continue;  // results, and what several loops at the root share
    const Tensor& tensor = tree.tensors[at(allocation.tensor)];
    const std::int64_t held = std::int64_t{target.vector_registers} / kShareOfRegisters *
                              target.lanes(8 * tensor.element_bytes);
    lines.in_registers[at(allocation.tensor)] = allocation.elements <= held;
  }
  std::vector<int> home(tree.tensors.size(), -2);  // the loop whose body has all accesses
  std::vector<std::int64_t> lanes(tree.tensors.size());
  for (const Store& store : tree.stores) {
    const int kept = lines.kept(tree, store.loop);
    for (const Access& access : store.accesses) {
      if (!lines.in_registers[at(access.tensor)]) continue;
      int& here = home[at(access.tensor)];
      const std::int64_t moved = lanes_of(tree, store, access, target);
      if (here == -2) here = kept, lanes[at(access.tensor)] = moved;
      // Parts of a register cannot be named.
      if (here != kept || lanes[at(access.tensor)] != moved)
        lines.in_registers[at(access.tensor)] = false;
    }
  }
  return lines;
}

std::vector<bool> starts_in_registers(const LoopTree& tree, const StraightLines& lines,
                                      const target::Target& target) {
  std::vector<int> around(tree.tensors.size(), -2);  // the loop around the straight line that begins it
  std::vector<bool> found(tree.tensors.size());
  const int most = target.vector_registers - lower::kOperandRegisters;
  for (const Store& store : tree.stores) {
    const Access& written = store.accesses.front();
    if (written.kind != AccessKind::ReadWrite) {
      const int kept = lines.kept(tree, store.loop);
      around[at(store.tensor)] = vectors_of_line(tree, store, kept, target) <= most ? kept : -2;
      continue;
    }
    int l = store.loop;
    while (l >= 0 && l != around[at(store.tensor)] &&
           (lines.is_written_out[at(l)] || !mentions(tree.vars, written, tree.loops[at(l)].var)))
      l = tree.loops[at(l)].parent;
    found[at(store.tensor)] = l == around[at(store.tensor)];
  }
  return found;
}

}  // namespace hone::feature
