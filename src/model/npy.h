// Arrays in NumPy's format.
#pragma once
#include <string>

#include "base/shared_bytes.h"
#include "model/tensor.h"

namespace hone::model {

// Shares the bytes where they lie as a tensor's do. UserError when they are no array of numbers.
Tensor parse_npy(const SharedBytes& file);

// What stands in front of the elements of such a tensor.
std::string npy_header(const Tensor& tensor);

}  // namespace hone::model
