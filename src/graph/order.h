// Orders of dimensions, as Transpose has them: dimension i of the result is dimension order[i] of what
// it is taken from.
#pragma once
#include <cstddef>
#include <numeric>
#include <vector>

namespace hone::graph {

using Order = std::vector<int>;

inline Order identity_order(std::size_t rank) {
  Order order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline bool is_identity(const Order& order) { return order == identity_order(order.size()); }

// One entry a dimension, after a transposition. `permuted(first, second)` of two orders is the order of
// doing both.
template <class Entry>
std::vector<Entry> permuted(const std::vector<Entry>& entries, const Order& order) {
  std::vector<Entry> result;
  result.reserve(order.size());
  for (const int dimension : order) result.push_back(entries[static_cast<std::size_t>(dimension)]);
  return result;
}

inline Order inverse(const Order& order) {
  Order result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    result[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  return result;
}

}  // namespace hone::graph
