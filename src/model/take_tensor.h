// A tensor of a protobuf message.
#pragma once
#include "model/external_data.h"
#include "model/tensor.h"

namespace hone::model {

// Takes the elements out of the message where they lie as they are needed, so that weights are not held
// twice. UserError when type, shape and data do not make a tensor.
Tensor take_tensor(onnx::TensorProto& proto, ExternalData& files);

}  // namespace hone::model
