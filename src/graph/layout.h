// The layouts that windows slide over, as orders of dimensions.
#pragma once
#include <optional>
#include <vector>

#include "graph/operators.h"
#include "graph/order.h"

namespace hone::graph {

// [n, c, spatial...] -> [n, spatial..., c]
Order channels_last(std::size_t rank);

// The first dimension that a window slides over.
std::size_t first_spatial(Layout layout);

// An operator said by the one of the other layout: transpose the inputs, apply it, transpose its
// result.
struct Relaid {
  Operator op;
  std::vector<Order> inputs;
  Order output;
};

// Nothing for operators without a window, and for those that have the layout already. Blocks are no
// order of dimensions: neither the operator nor the layout may have them.
std::optional<Relaid> in_layout(const Operator& op, Layout layout);

}  // namespace hone::graph
