// What an operator gives: the types and shapes of its outputs.
#pragma once
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

// A tensor of more elements is a mistake in the model: no machine that we tune for holds it, and
// products of counts within it stay far from overflowing.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

// Extents are not negative and their product stays within kMaxElements; otherwise a UserError.
void require_sane(const ValueType& type);

// The outputs' types. What the operator cannot do with these inputs is a UserError that begins with the
// operator's name.
std::vector<ValueType> infer(const Operator& op, std::span<const ValueType> inputs);

// The shape of two broadcast against each other as NumPy does; a UserError when they do not fit.
Shape broadcast(const Shape& a, const Shape& b);

}  // namespace hone::graph
