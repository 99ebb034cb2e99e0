// A tensor of bytes that came from outside.
#pragma once
#include "base/shared_bytes.h"
#include "model/tensor.h"

namespace hone::model {

// Shares the given bytes unless they lie where elements of the type may not. UserError when the shape
// cannot be, when the bytes do not fill it, or when a bool is neither 0 nor 1.
Tensor plain_tensor(ir::Scalar type, Shape shape, SharedBytes given);

}  // namespace hone::model
