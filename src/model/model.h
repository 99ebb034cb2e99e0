// An ONNX model as plain structs: what the file says, nothing understood yet.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/tensor.h"

namespace hone::model {

struct Nodes;  // the nodes of a subgraph, see below

using Attribute =
    std::variant<std::int64_t, double, std::string, Tensor, std::vector<std::int64_t>,
                 std::vector<double>, std::vector<std::string>, std::shared_ptr<const Nodes>>;

struct Node {
  std::string name;                          // may be empty
  std::string domain;                        // "" is ONNX itself
  std::string op;                            // "Conv"
  std::vector<std::string> inputs, outputs;  // "" where an optional one is left out
  std::map<std::string, Attribute> attributes;
};

struct Nodes {
  std::vector<Node> nodes;
  std::map<std::string, Tensor> initializers;
  std::vector<std::string> inputs, outputs;
};

// A dimension is a number, a name that several may share, or unknown (neither).
struct Dimension {
  std::optional<std::int64_t> extent;
  std::string symbol;
};

struct Port {
  std::string name;
  ir::Scalar type = ir::Scalar::F32;
  std::optional<std::vector<Dimension>> shape;  // none when the file does not say
};

struct Model {
  std::string name;                            // of its graph
  std::string producer;                        // for people
  std::map<std::string, std::int64_t> opsets;  // domain -> version
  std::vector<Port> inputs;                    // without those that are initialisers
  std::vector<Port> outputs;
  Nodes graph;                                       // nodes in the order of the file
  std::map<std::string, std::string> metadata = {};  // what its maker noted beside it
};

}  // namespace hone::model
