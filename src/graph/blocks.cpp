#include "graph/blocks.h"

#include <algorithm>

#include "base/error.h"

namespace hone::graph {
namespace {

// Of dimensions [n, spatial..., c / block, block].
Order image_order(std::size_t rank) {
  Order order = identity_order(rank);
  order.erase(order.end() - 2);
  order.insert(order.begin() + 1, static_cast<int>(rank) - 2);
  return order;
}

// An order of [n, spatial..., c] as one of [n, spatial..., c / block, block].
Order with_blocks(Order order) {
  const int channels = static_cast<int>(order.size()) - 1;
  order.insert(std::ranges::find(order, channels) + 1, channels + 1);
  return order;
}

std::size_t place_of_channels(const Order& order) {
  return static_cast<std::size_t>(inverse(order).back());
}

// Of dimensions [kernel..., c / in, in, m / out, out].
Order weights_order(std::size_t rank) {
  const int kernel = static_cast<int>(rank) - 4;
  Order order = {kernel + 2, kernel};
  for (int d = 0; d < kernel; ++d) order.push_back(d);
  order.insert(order.end(), {kernel + 1, kernel + 3});
  return order;
}

// Neighbouring dimensions as one, from the first of them on.
void join(Shape& shape, std::size_t first) {
  shape[first] *= shape[first + 1];
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(first) + 1);
}

// A dimension as blocks and places in them.
void split(Shape& shape, std::size_t dimension, std::int64_t block) {
  check(shape[dimension] % block == 0, "channels fill their blocks");
  shape[dimension] /= block;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, block);
}

Window* window_of(Operator& op) {
  if (auto* conv = std::get_if<Conv>(&op)) return &conv->window;
  auto* pool = std::get_if<Pool>(&op);
  return pool != nullptr ? &pool->window : nullptr;
}

}  // namespace

std::int64_t block_of(std::int64_t channels, std::int64_t lanes) {
  return channels % lanes == 0 ? lanes : channels;
}

ToBlocks image_to_blocks(const Shape& held, const Order& order, std::int64_t block) {
  ToBlocks to{held, permuted(inverse(with_blocks(order)), image_order(held.size() + 1))};
  split(to.split, place_of_channels(order), block);
  return to;
}

ToBlocks weights_to_blocks(const Shape& weights, std::int64_t in, std::int64_t out) {
  ToBlocks to{weights, weights_order(weights.size() + 2)};
  split(to.split, weights.size() - 1, out);
  split(to.split, weights.size() - 2, in);
  return to;
}

FromBlocks image_from_blocks(const Shape& blocks, const Order& order) {
  const Order apart = permuted(inverse(image_order(blocks.size())), with_blocks(order));
  FromBlocks from{apart, permuted(blocks, apart)};
  join(from.joined, place_of_channels(order));
  return from;
}

FromBlocks weights_from_blocks(const Shape& blocks) {
  const Order order = inverse(weights_order(blocks.size()));
  FromBlocks from{order, permuted(blocks, order)};
  join(from.joined, blocks.size() - 2);
  join(from.joined, blocks.size() - 4);
  return from;
}

bool is_blocked(const Operator& op) {
  const auto* conv = std::get_if<Conv>(&op);
  const auto* pool = std::get_if<Pool>(&op);
  return (conv != nullptr && conv->window.layout == Layout::Blocked) ||
         (pool != nullptr && pool->window.layout == Layout::Blocked);
}

Unblocked unblocked(Operator op, std::span<const Shape> inputs) {
  window_of(op)->layout = Layout::ChannelsLast;
  Unblocked result{std::move(op), {}, inputs.back().back()};
  result.inputs.push_back(image_from_blocks(inputs[0], identity_order(inputs[0].size() - 1)));
  if (inputs.size() > 1) result.inputs.push_back(weights_from_blocks(inputs[1]));
  return result;
}

Operator in_blocks(Operator op) {
  if (Window* window = window_of(op)) {
    check(window->layout == Layout::ChannelsLast, "blocks are made of channels that are last");
    window->layout = Layout::Blocked;
  } else if (auto* pad = std::get_if<Pad>(&op)) {
    for (auto* margins : {&pad->before, &pad->after}) {
      check(margins->back() == 0, "no channel is added");
      margins->insert(margins->begin() + 1, 0);
    }
  } else {
    check(std::holds_alternative<Map>(op), "an operator that has blocks");
  }
  return op;
}

}  // namespace hone::graph
