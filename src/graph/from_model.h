// A graph of what a model's file says.
#pragma once
#include <map>
#include <string>

#include "graph/graph.h"
#include "model/model.h"

namespace hone::graph {

struct ImportOptions {
  std::map<std::string, Shape> shapes;  // of inputs with dimensions that the model leaves open
  std::map<std::string, Tensor> bound;  // inputs that are really constants
};

// The newest opset of ONNX whose operators are read as they are defined.
inline constexpr std::int64_t kNewestOpset = 21;

// The part of the model that its outputs need, with all shapes known and everything worked out that
// does not depend on the inputs. Throws UserError; operators that cannot be read are named all at once.
Graph from_model(const model::Model& model, const ImportOptions& options = {});

}  // namespace hone::graph
