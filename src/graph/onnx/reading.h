// One node of a model while it is being read.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/onnx/attributes.h"
#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

inline constexpr ValueId kLeftOut = -1;  // an optional input that the node does not have

// What a reader sees. Its errors do not name the node: whoever calls it does.
struct Reading {
  const model::Node& node;
  std::int64_t opset;  // of the node's domain
  std::vector<ValueId> inputs;
  Attributes attributes;
  Emitter emit;
  // Reads the nodes of a subgraph where this one stands and gives the subgraph's outputs.
  std::function<std::vector<ValueId>(const model::Nodes&)> read_nodes;

  bool has_input(std::size_t i) const { return i < inputs.size() && inputs[i] != kLeftOut; }
  bool has_output(std::size_t i) const { return i < node.outputs.size() && !node.outputs[i].empty(); }

  // UserError when it is left out.
  ValueId input(std::size_t i) const;
  ValueId float_input(std::size_t i) const;  // and when its elements are no floats
  std::vector<ValueId> all_inputs() const;   // and when there are none

  // The elements of an input that must be known now; `what` names it for people.
  Tensor constant_input(std::size_t i, std::string_view what) const;
  std::vector<std::int64_t> integers(std::size_t i, std::string_view what) const;
  std::int64_t integer(std::size_t i, std::string_view what) const;
  std::vector<double> numbers(std::size_t i, std::string_view what) const;

  // What early opsets have as an attribute and later ones as an input; none when it is neither.
  std::optional<std::vector<std::int64_t>> integers_of(std::string_view attribute, std::size_t i) const;
};

// The elements of a tensor of any type of whole numbers, or of any type of numbers.
std::vector<std::int64_t> integers_of(const Tensor& tensor);
std::vector<double> numbers_of(const Tensor& tensor);

}  // namespace hone::graph::onnx
