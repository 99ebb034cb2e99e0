#include "graph/layout.h"

#include <utility>

#include "base/error.h"

namespace hone::graph {
namespace {

// The dimensions from the third on, then the first two in this order.
Order kernel_first(std::size_t rank, int second_last, int last) {
  Order order = identity_order(rank);
  order.erase(order.begin(), order.begin() + 2);
  order.insert(order.end(), {second_last, last});
  return order;
}

// The window of an operator that has one, and what brings its weights to channels last.
Window* window_of(Operator& op, std::vector<Order>& weights) {
  if (auto* conv = std::get_if<Conv>(&op)) {
    weights = {kernel_first(conv->window.kernel.size() + 2, 1, 0)};
    return &conv->window;
  }
  if (auto* conv = std::get_if<ConvTranspose>(&op)) {
    weights = {kernel_first(conv->window.kernel.size() + 2, 0, 1)};
    return &conv->window;
  }
  auto* pool = std::get_if<Pool>(&op);
  return pool ? &pool->window : nullptr;
}

}  // namespace

Order channels_last(std::size_t rank) {
  Order order = identity_order(rank);
  order.erase(order.begin() + 1);
  order.push_back(1);
  return order;
}

std::size_t first_spatial(Layout layout) { return layout == Layout::ChannelsLast ? 1 : 2; }

std::optional<Relaid> in_layout(const Operator& op, Layout layout) {
  Relaid result{op, {}, {}};
  Window* window = window_of(result.op, result.inputs);
  if (!window || window->layout == layout) return std::nullopt;
  check(window->layout != Layout::Blocked && layout != Layout::Blocked, "a layout that is an order");
  window->layout = layout;
  const Order to_last = channels_last(window->kernel.size() + 2);
  result.inputs.insert(result.inputs.begin(), to_last);
  result.output = inverse(to_last);
  if (layout == Layout::ChannelsFirst) {
    for (Order& order : result.inputs) order = inverse(order);
    result.output = to_last;
  }
  return result;
}

}  // namespace hone::graph
