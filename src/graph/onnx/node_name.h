// What a model's node is called.
#pragma once
#include <string>

#include "model/model.h"

namespace hone::graph::onnx {

// Its name; without one, that of its first output, which is as good to find it by.
std::string name_of(const model::Node& node);

std::string label_of(const model::Node& node);  // for messages: "node `/enc/Conv` (Conv)"

}  // namespace hone::graph::onnx
