// The definition of every operator, each in the file of its family.
#pragma once
#include "graph/evaluate.h"
#include "graph/infer.h"

namespace hone::graph {

using Tensors = std::vector<Tensor>;
using Operands = std::span<const Tensor>;
// Of the outputs, as `infer` gives them.
using OutputTypes = std::span<const ValueType>;

Tensors evaluate_op(const Map& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Reduce& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const ArgReduce& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Conv& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const ConvTranspose& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Pool& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const MatMul& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Einsum& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Transpose& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Reshape& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Expand& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Slice& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Pad& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Concat& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Gather& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const GatherElements& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const GatherND& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Resize& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const CumSum& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const TopK& op, Operands inputs, OutputTypes types);
Tensors evaluate_op(const Loop& op, Operands inputs, OutputTypes types);

}  // namespace hone::graph
