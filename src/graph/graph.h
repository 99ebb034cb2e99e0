// A network as operators on values with known types and shapes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "graph/operators.h"

namespace hone::graph {

using model::Tensor;

// A value's number: its place in Graph::values.
using ValueId = int;

struct ValueType {
  ir::Scalar type = ir::Scalar::F32;
  Shape shape;
  friend bool operator==(const ValueType&, const ValueType&) = default;
};

struct Value {
  std::string name;  // the model's, or made from its node's; unique
  ValueType type;
  std::optional<Tensor> constant;  // when it is known before anything runs
};

struct Node {
  std::string name;  // of the model's node that it came from
  Operator op;
  std::vector<ValueId> inputs, outputs;
};

// Every value is an input, a constant, or written by exactly one node.
struct Graph {
  std::string name;
  std::vector<Value> values;
  std::vector<Node> nodes;  // producers before consumers
  std::vector<ValueId> inputs, outputs;
};

}  // namespace hone::graph
