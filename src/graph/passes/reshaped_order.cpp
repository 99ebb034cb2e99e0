#include "graph/passes/reshaped_order.h"

#include <algorithm>

namespace hone::graph {
namespace {

// Neighbouring dimensions of both shapes that hold the same elements.
struct Block {
  std::vector<int> from;  // without those of extent 1
  std::vector<int> to;
};

std::int64_t extent(const Shape& shape, int dimension) {
  return shape[static_cast<std::size_t>(dimension)];
}

std::vector<int> dimensions_with_extent(const Shape& shape) {
  std::vector<int> result;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1) result.push_back(static_cast<int>(d));
  }
  return result;
}

// The finest blocks, for shapes of as many elements and more than none.
std::vector<Block> blocks(const Shape& from, const Shape& to) {
  const std::vector<int> froms = dimensions_with_extent(from), tos = dimensions_with_extent(to);
  std::vector<Block> result;
  for (std::size_t i = 0, j = 0; i < froms.size();) {
    Block block{{froms[i]}, {tos[j]}};
    std::int64_t a = extent(from, froms[i++]), b = extent(to, tos[j++]);
    while (a != b) {
      const bool is_behind = a < b;
      (is_behind ? block.from : block.to).push_back(is_behind ? froms[i] : tos[j]);
      (is_behind ? a : b) *= is_behind ? extent(from, froms[i++]) : extent(to, tos[j++]);
    }
    result.push_back(std::move(block));
  }
  return result;
}

// Dimensions of extent 1 hold nothing: each goes behind the one it follows, the first ones to the
// front.
void insert_ones(Order& order, const Shape& shape) {
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    if (extent(shape, d) != 1) continue;
    const auto before = std::ranges::find(order, d - 1);
    order.insert(d == 0 ? order.begin() : before + 1, d);
  }
}

}  // namespace

ReshapedOrder reshaped_order(const Shape& from, const Shape& to, const Order& held) {
  if (is_identity(held) || model::elements(from) == 0)
    return {identity_order(from.size()), identity_order(to.size())};
  std::vector<Block> all = blocks(from, to);
  // A block stands where the last of its dimensions does.
  const Order places = inverse(held);
  const auto last_place = [&](const Block& block) {
    return std::ranges::max(permuted(places, block.from));
  };
  std::ranges::sort(all, {}, last_place);
  ReshapedOrder orders;
  for (const Block& block : all) {
    orders.before.insert(orders.before.end(), block.from.begin(), block.from.end());
    orders.after.insert(orders.after.end(), block.to.begin(), block.to.end());
  }
  Order moved = held;
  std::erase_if(moved, [&](int d) { return extent(from, d) == 1; });
  if (orders.before == moved) {
    orders.before = held;
  } else {
    insert_ones(orders.before, from);
  }
  insert_ones(orders.after, to);
  return orders;
}

}  // namespace hone::graph
