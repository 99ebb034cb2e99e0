// Which operators a model uses, and which of them cannot be read.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"

namespace hone::graph::onnx {

struct OperatorUse {
  std::string op;  // with the domain in front where it is not ONNX's: "com.microsoft.Gelu"
  std::vector<std::string> nodes;  // names, in the order of the file
  bool is_readable = true;
};

// In the order of their names; nodes of subgraphs count too.
std::vector<OperatorUse> operator_uses(const model::Nodes& nodes);

// A UserError that lists all operators among these nodes that hone cannot read, with their nodes.
void require_readable(const std::vector<const model::Node*>& nodes, const std::string& model_name);

}  // namespace hone::graph::onnx
