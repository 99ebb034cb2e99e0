// How far one tensor is from another.
#pragma once
#include "model/tensor.h"

namespace hone::model {

// max |got - want| / max |want|, over the finite elements; infinite when type or shape differ, or when
// one of two elements is an infinity or no number and the other is not the same.
double relative_error(const Tensor& got, const Tensor& want);

// As a double, whatever the type; integers beyond 2^53 are rounded.
double element(const Tensor& tensor, std::int64_t index);

}  // namespace hone::model
