// The types and shapes of a model's inputs, completed by what the user says.
#pragma once
#include <map>
#include <string>

#include "graph/from_model.h"

namespace hone::graph::onnx {

// One entry an input of the model. A dimension that the model leaves open is given by the options, or
// by another input that shares its symbol. UserError for what stays open, for options that contradict
// the model, and for names that it does not have.
std::map<std::string, ValueType> input_types(const model::Model& model, const ImportOptions& options);

}  // namespace hone::graph::onnx
