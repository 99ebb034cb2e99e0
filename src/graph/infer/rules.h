// The rules of every operator, each in the file of its family.
#pragma once
#include <fmt/format.h>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/print.h"

namespace hone::graph {

using Inputs = std::span<const ValueType>;
using Types = std::vector<ValueType>;

Types infer_types(const Map& op, Inputs inputs);
Types infer_types(const Reduce& op, Inputs inputs);
Types infer_types(const ArgReduce& op, Inputs inputs);
Types infer_types(const Conv& op, Inputs inputs);
Types infer_types(const ConvTranspose& op, Inputs inputs);
Types infer_types(const Pool& op, Inputs inputs);
Types infer_types(const MatMul& op, Inputs inputs);
Types infer_types(const Einsum& op, Inputs inputs);
Types infer_types(const Transpose& op, Inputs inputs);
Types infer_types(const Reshape& op, Inputs inputs);
Types infer_types(const Expand& op, Inputs inputs);
Types infer_types(const Slice& op, Inputs inputs);
Types infer_types(const Pad& op, Inputs inputs);
Types infer_types(const Concat& op, Inputs inputs);
Types infer_types(const Gather& op, Inputs inputs);
Types infer_types(const GatherElements& op, Inputs inputs);
Types infer_types(const GatherND& op, Inputs inputs);
Types infer_types(const Resize& op, Inputs inputs);
Types infer_types(const CumSum& op, Inputs inputs);
Types infer_types(const TopK& op, Inputs inputs);
Types infer_types(const Loop& op, Inputs inputs);

// A UserError; `infer` puts the operator's name in front.
template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> message, Args&&... args) {
  throw UserError(fmt::format(message, std::forward<Args>(args)...));
}

// Window sizes, padding and the like stay within it, so that products of two never overflow.
inline constexpr std::int64_t kMaxAttribute = std::int64_t{1} << 31;

void require_inputs(Inputs inputs, std::size_t count);
void require_same_type(Inputs inputs);
void require_number(const ValueType& type);  // no bool
void require_axis(int axis, const Shape& shape);
// One entry of an attribute for each of `count` dimensions.
void require_count(std::size_t entries, std::size_t count, std::string_view attribute);

inline Shape::value_type extent(const Shape& shape, int axis) {
  return shape[static_cast<std::size_t>(axis)];
}

}  // namespace hone::graph
