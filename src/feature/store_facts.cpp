#include "feature/store_facts.h"

#include <algorithm>

#include "feature/index.h"
#include "feature/stride.h"
#include "feature/touch.h"

namespace hone::feature {
namespace {

const Loop& loop_at(const LoopTree& tree, const StoreFacts& facts, std::size_t i) {
  return tree.loops[static_cast<std::size_t>(facts.chain[i])];
}

void count_kinds(const LoopTree& tree, StoreFacts& facts) {
  for (std::size_t i = 0; i < facts.chain.size(); ++i) {
    const Loop& loop = loop_at(tree, facts, i);
    const auto extent = static_cast<double>(loop.extent);
    facts.executions *= extent;
    if (loop.kind == ir::LoopKind::Vectorized) {
      facts.vector *= extent;
    } else if (loop.kind == ir::LoopKind::Parallel || ir::is_block_loop(loop.kind)) {
      facts.parallel *= extent;
    } else if (loop.kind == ir::LoopKind::Vthread) {
      facts.virtual_threads *= extent;
    } else if (ir::is_thread_loop(loop.kind)) {
      facts.threads *= extent;
    }
  }
}

// Without a reduction the innermost tile is what was marked to be written out.
void cut_tiles(const LoopTree& tree, StoreFacts& facts) {
  const std::size_t n = facts.chain.size();
  std::size_t inner = n, outer = 0, task = n;
  for (std::size_t i = 0; i < n; ++i) {
    const ir::LoopKind kind = loop_at(tree, facts, i).kind;
    if (facts.is_reduced[i]) {
      inner = std::min(inner, i);
      outer = i + 1;
    }
    if (kind == ir::LoopKind::Parallel || ir::is_block_loop(kind)) task = std::min(task, i);
  }
  if (outer == 0) {
    const auto is_written_out = [&](std::size_t i) {
      const ir::LoopKind kind = loop_at(tree, facts, i).kind;
      return kind == ir::LoopKind::Vectorized || kind == ir::LoopKind::Unrolled;
    };
    for (inner = 0; inner < n && is_written_out(inner);) ++inner;
    outer = inner;
  }
  facts.tile_loops = {inner, outer, std::max(task, inner)};
}

// Bytes of each operand that the innermost `n` loops touch, for every n.
class Toucher {
 public:
  Toucher(const LoopTree& tree, const StoreFacts& facts) : tree_(tree), facts_(facts) {
    schedule::Var last = 0;
    for (std::size_t i = 0; i < facts.chain.size(); ++i)
      last = std::max(last, loop_at(tree, facts, i).var);
    depth_of_.assign(static_cast<std::size_t>(last) + 1, -1);
    for (std::size_t i = 0; i < facts.chain.size(); ++i) {
      const Loop& loop = loop_at(tree, facts, i);
      depth_of_[static_cast<std::size_t>(loop.var)] = loop.depth;
    }
  }

  double bytes(const Access& access, std::size_t n) {
    double all = tree_.tensors[static_cast<std::size_t>(access.tensor)].element_bytes;
    if (n == 0) return all;
    touched_box(tree_.vars, access, depth_of_, loop_at(tree_, facts_, n - 1).depth, box_);
    for (const std::int64_t extent : box_) all *= static_cast<double>(extent);
    return all;
  }

 private:
  const LoopTree& tree_;
  const StoreFacts& facts_;
  std::vector<int> depth_of_;
  std::vector<std::int64_t> box_;
};

// The loop whose iterations run side by side: lanes of a vector, or neighbours among threads.
const Loop* side_by_side(const LoopTree& tree, const StoreFacts& facts) {
  const Loop* found = nullptr;
  for (std::size_t i = 0; i < facts.chain.size() && found == nullptr; ++i) {
    const Loop& loop = loop_at(tree, facts, i);
    if (loop.kind == ir::LoopKind::Vectorized || loop.kind == ir::LoopKind::ThreadX) found = &loop;
  }
  return found;
}

}  // namespace

double StoreFacts::iterations(std::size_t begin, std::size_t end, const LoopTree& tree) const {
  double product = 1;
  for (std::size_t i = begin; i < end; ++i)
    product *= static_cast<double>(tree.loops[static_cast<std::size_t>(chain[i])].extent);
  return product;
}

StoreFacts store_facts(const LoopTree& tree, const Store& store) {
  StoreFacts facts;
  facts.store = &store;
  const Access& written = store.accesses.front();
  facts.is_update = written.kind == AccessKind::ReadWrite;
  for (int l = store.loop; l >= 0; l = tree.loops[static_cast<std::size_t>(l)].parent) {
    facts.chain.push_back(l);
    const Loop& loop = tree.loops[static_cast<std::size_t>(l)];
    facts.is_reduced.push_back(facts.is_update && !mentions(tree.vars, written, loop.var));
  }
  count_kinds(tree, facts);
  facts.work = facts.executions * std::max(1, store.operations.float_total());
  cut_tiles(tree, facts);
  return facts;
}

Movement movement(const LoopTree& tree, const StoreFacts& facts) {
  Movement all;
  Toucher toucher(tree, facts);
  const auto& accesses = facts.store->accesses;
  all.bytes.assign(facts.chain.size() + 1, 0);
  for (const Access& access : accesses) {
    for (std::size_t n = 0; n < all.bytes.size(); ++n) all.bytes[n] += toucher.bytes(access, n);
  }
  const Loop* const beside = side_by_side(tree, facts);
  for (std::size_t o = 0; o < std::min(accesses.size(), kOperands); ++o) {
    const auto along = [&](const Loop* loop) {
      const auto& shape = *tree.tensors[static_cast<std::size_t>(accesses[o].tensor)].shape;
      return loop == nullptr ? 0
                             : static_cast<double>(stride(tree.vars, accesses[o], shape, loop->var));
    };
    Operand& operand = all.operands[o];
    operand.stride = along(facts.chain.empty() ? nullptr : &loop_at(tree, facts, 0));
    operand.vector_stride = along(beside);
    for (std::size_t tile = 0; tile < kTiles; ++tile)
      operand.bytes[tile] = toucher.bytes(accesses[o], facts.tile_loops[tile]);
  }
  return all;
}

}  // namespace hone::feature
