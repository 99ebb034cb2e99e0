#include "artefact/plan_memory.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "artefact/lifetimes.h"
#include "runtime/format.h"

namespace hone::artefact {
namespace {

std::int64_t aligned(std::int64_t bytes) {
  constexpr auto kUnit = static_cast<std::int64_t>(runtime::kBufferAlignment);
  return (bytes + kUnit - 1) / kUnit * kUnit;
}

// Buffers that share their memory, one after the other.
struct Block {
  std::int64_t size_bytes = 0;
  Lifetime life;
  std::int64_t offset_bytes = 0;
};

class Planner {
 public:
  explicit Planner(const Program& program)
      : program_(program), lives_(lifetimes(program)), around_(loops_around(program)) {
    block_of_.resize(program.buffers.size(), -1);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
      const Buffer& buffer = program.buffers[b];
      if (buffer.place != Place::Arena || buffer.parent >= 0 || !lives_[b].is_touched()) continue;
      block_of_[b] = static_cast<int>(blocks_.size());
      blocks_.push_back({aligned(buffer.size_bytes), lives_[b]});
    }
  }

  MemoryPlan run() {
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const auto* call = std::get_if<KernelCall>(&program_.steps[i].action);
      if (call == nullptr) continue;
      for (const InPlace& place : call->in_place) join(*call, place, static_cast<int>(i));
    }
    MemoryPlan plan;
    plan.live_bytes = live_bytes();
    plan.arena_bytes = place_blocks();
    for (std::size_t b = 0; b < program_.buffers.size(); ++b) {
      const RootPlace root = root_of(program_, static_cast<BufferId>(b));
      const int block = block_of(root.buffer);
      plan.offsets.push_back(block < 0 ? -1 : blocks_[at(block)].offset_bytes + root.offset_bytes);
    }
    return plan;
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  int block_of(BufferId buffer) const { return block_of_[at(buffer)]; }

  // The block that an operand begins, or -1.
  int begins(const Operand& operand) const {
    const RootPlace root = root_of(program_, operand.buffer);
    const bool at_begin = root.offset_bytes + operand.offset_bytes == 0 && operand.stride_bytes == 0;
    return at_begin ? block_of(root.buffer) : -1;
  }

  // Lets the output have the input's block, if the one ends where the other begins.
  void join(const KernelCall& call, const InPlace& place, int step) {
    const int from = begins(call.inputs[at(place.input)]), to = begins(call.outputs[at(place.output)]);
    if (from < 0 || to < 0 || from == to) return;
    Block& block = blocks_[at(from)];
    Block& joined = blocks_[at(to)];
    if (block.life.last != step || joined.life.first != step) return;
    if (around_[at(block.life.first)] != around_[at(step)])
      return;  // the next iteration reads it again
    const auto readers = std::ranges::count_if(call.inputs, [&](const Operand& operand) {
      return block_of(root_of(program_, operand.buffer).buffer) == from;
    });
    if (readers != 1) return;  // another operand may read elements that are overwritten by then
    block.size_bytes = std::max(block.size_bytes, joined.size_bytes);
    block.life.last = joined.life.last;
    joined = {};
    std::ranges::replace(block_of_, to, from);
  }

  std::int64_t live_bytes() const {
    std::vector<std::int64_t> change(program_.steps.size() + 1, 0);
    for (const Block& block : blocks_) {
      if (!block.life.is_touched()) continue;
      change[at(block.life.first)] += block.size_bytes;
      change[at(block.life.last) + 1] -= block.size_bytes;
    }
    std::int64_t live = 0, most = 0;
    for (const std::int64_t bytes : change) most = std::max(most, live += bytes);
    return most;
  }

  // The best of three orders: no one of them is best for every program.
  std::int64_t place_blocks() {
    const auto size = [](const Block& block) { return block.size_bytes; };
    const auto steps = [](const Block& block) { return block.life.last - block.life.first + 1; };
    std::vector<Block> best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    const auto attempt = [&](auto key) {
      const std::int64_t end = place_in_order(key);
      if (end >= least) return;
      least = end;
      best = blocks_;
    };
    attempt(size);
    attempt([&](const Block& block) { return std::pair(steps(block), size(block)); });
    attempt([&](const Block& block) { return size(block) * steps(block); });
    blocks_ = std::move(best);
    return least;
  }

  // Those with the highest key first, each into the smallest gap that holds it. Returns where the last
  // one ends.
  template <class Key>
  std::int64_t place_in_order(Key key) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].life.is_touched()) order.push_back(i);
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      const auto key_a = key(blocks_[a]), key_b = key(blocks_[b]);
      return key_a != key_b ? key_a > key_b : a < b;
    });
    std::int64_t end = 0;
    std::vector<const Block*> placed;  // by offset
    for (const std::size_t i : order) {
      Block& block = blocks_[i];
      block.offset_bytes = best_gap(placed, block);
      end = std::max(end, block.offset_bytes + block.size_bytes);
      placed.insert(std::ranges::upper_bound(placed, block.offset_bytes, {}, &Block::offset_bytes),
                    &block);
    }
    return end;
  }

  static std::int64_t best_gap(const std::vector<const Block*>& placed, const Block& block) {
    std::int64_t end = 0, best = -1, best_size = std::numeric_limits<std::int64_t>::max();
    for (const Block* other : placed) {
      if (!other->life.overlaps(block.life)) continue;
      const std::int64_t gap = other->offset_bytes - end;
      if (gap >= block.size_bytes && gap < best_size) {
        best = end;
        best_size = gap;
      }
      end = std::max(end, other->offset_bytes + other->size_bytes);
    }
    return best >= 0 ? best : end;
  }

  const Program& program_;
  std::vector<Lifetime> lives_;
  std::vector<int> around_;
  std::vector<Block> blocks_;
  std::vector<int> block_of_;  // one a buffer; -1 for views and what is not in the arena
};

}  // namespace

MemoryPlan plan_memory(const Program& program) { return Planner(program).run(); }

}  // namespace hone::artefact
