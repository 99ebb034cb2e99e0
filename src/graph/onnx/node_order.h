// In which order the nodes of a model are read.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "model/model.h"

namespace hone::graph::onnx {

// The nodes that the outputs need, each behind those it reads from, otherwise in the order of the file.
// `is_defined_outside` tells of names that no node gives: inputs, initialisers, values around a
// subgraph. UserError for a cycle, a value that is defined twice or not at all.
std::vector<const model::Node*> node_order(
    const model::Nodes& nodes, const std::vector<std::string>& outputs,
    const std::function<bool(const std::string&)>& is_defined_outside);

}  // namespace hone::graph::onnx
