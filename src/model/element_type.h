// ONNX's numbers of element types.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "ir/type.h"

namespace hone::model {

// None for those that hone does not compute with: strings, complex numbers, floats of 8 bits, ...
std::optional<ir::Scalar> scalar_of_onnx(std::int32_t number);
std::int32_t onnx_of_scalar(ir::Scalar scalar);

std::string onnx_type_name(std::int32_t number);  // "string"; "number 99" when ONNX has no such type

}  // namespace hone::model
