// Functions that a model defines for itself, written out where they are called.
#pragma once

namespace onnx {
class ModelProto;
}

namespace hone::model {

// Every call becomes the nodes of its function, subgraphs included; the functions are gone. UserError
// for what cannot be written out: recursion, another opset than the model's, more nodes than any model
// has.
void inline_functions(onnx::ModelProto& model);

}  // namespace hone::model
