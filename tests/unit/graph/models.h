// Models of a few nodes, for tests of the import.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace hone::test {

struct InputSketch {
  std::string name;
  model::Shape shape;
  ir::Scalar type = ir::Scalar::F32;
};

struct NodeSketch {
  std::string op;
  std::vector<std::string> inputs, outputs;
  std::map<std::string, model::Attribute> attributes = {};
};

inline model::Model model_of(const std::vector<InputSketch>& inputs,
                             const std::vector<std::string>& outputs,
                             const std::vector<NodeSketch>& nodes, std::int64_t opset = 17) {
  model::Model model{.name = "test",
                     .producer = {},
                     .opsets = {{"", opset}},
                     .inputs = {},
                     .outputs = {},
                     .graph = {}};
  for (const InputSketch& input : inputs) {
    model::Port port{.name = input.name, .type = input.type, .shape = std::vector<model::Dimension>{}};
    for (const std::int64_t extent : input.shape) port.shape->push_back({extent, ""});
    model.inputs.push_back(port);
    model.graph.inputs.push_back(input.name);
  }
  for (const std::string& output : outputs) {
    model.outputs.push_back({.name = output, .type = ir::Scalar::F32, .shape = {}});
    model.graph.outputs.push_back(output);
  }
  for (const NodeSketch& node : nodes)
    model.graph.nodes.push_back({"", "", node.op, node.inputs, node.outputs, node.attributes});
  return model;
}

}  // namespace hone::test
