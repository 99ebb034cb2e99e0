// Normalisation by mean and variance, as the parts that every variant of it is made of.
#pragma once
#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

struct Normalised {
  ValueId value;   // (x - mean) * factor
  ValueId mean;    // over the axes, which stay as extent 1
  ValueId factor;  // 1 / sqrt(variance + epsilon)
};

Normalised normalise(const Emitter& emit, ValueId x, const std::vector<int>& axes, double epsilon);

// The same without the mean: x / sqrt(mean of squares + epsilon).
ValueId normalise_by_squares(const Emitter& emit, ValueId x, const std::vector<int>& axes,
                             double epsilon);

// x * scale + bias; either may be kLeftOut.
ValueId scale_and_shift(const Emitter& emit, ValueId x, ValueId scale, ValueId bias);

}  // namespace hone::graph::onnx
