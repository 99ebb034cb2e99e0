// Channels in blocks, as Layout::Blocked has them: blocks of a vector's elements stand in front of the
// pixels, and the elements of a block innermost. Channels that do not fill blocks are one block, which
// lies in memory as channels last do.
#pragma once
#include <span>
#include <vector>

#include "graph/operators.h"
#include "graph/order.h"

namespace hone::graph {

// How large the blocks of so many channels are.
std::int64_t block_of(std::int64_t channels, std::int64_t lanes);

// Reshaped, then transposed.
struct ToBlocks {
  Shape split;
  Order order;
};
// Of an image that is held in this order of [n, spatial..., c].
ToBlocks image_to_blocks(const Shape& held, const Order& order, std::int64_t block);
// [kernel..., c, m] -> [m / out, c / in, kernel..., in, out]
ToBlocks weights_to_blocks(const Shape& weights, std::int64_t in, std::int64_t out);

// Transposed, then reshaped.
struct FromBlocks {
  Order order;
  Shape joined;
};
// An image in this order of [n, spatial..., c].
FromBlocks image_from_blocks(const Shape& blocks, const Order& order);
FromBlocks weights_from_blocks(const Shape& blocks);

bool is_blocked(const Operator& op);

// An operator in blocks said by the one that is channels last: join the inputs, apply it, cut its
// result into blocks.
struct Unblocked {
  Operator op;
  std::vector<FromBlocks> inputs;
  std::int64_t block;  // of the result
};
// Of inputs that have as many dimensions as they should.
Unblocked unblocked(Operator op, std::span<const Shape> inputs);

// The other way round, for convolutions, pools, functions of elements and padding of pixels.
Operator in_blocks(Operator op);

}  // namespace hone::graph
