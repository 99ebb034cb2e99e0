#include "graph/onnx/node_name.h"

#include <fmt/format.h>

namespace hone::graph::onnx {

std::string name_of(const model::Node& node) {
  if (!node.name.empty()) return node.name;
  for (const std::string& output : node.outputs) {
    if (!output.empty()) return output;
  }
  return node.op;
}

std::string label_of(const model::Node& node) {
  return fmt::format("node `{}` ({})", name_of(node), node.op);
}

}  // namespace hone::graph::onnx
