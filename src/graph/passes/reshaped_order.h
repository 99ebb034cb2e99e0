// Reshapes of values whose dimensions are held in another order.
#pragma once
#include "graph/operators.h"
#include "graph/order.h"

namespace hone::graph {

// Orders in which a value is held before and after it is reshaped without moving an element.
struct ReshapedOrder {
  Order before, after;
};

// For a value of shape `from` that becomes one of shape `to`. `before` is `held` where that will do;
// otherwise dimensions that are split or joined with each other are brought together, the others stay.
ReshapedOrder reshaped_order(const Shape& from, const Shape& to, const Order& held);

}  // namespace hone::graph
