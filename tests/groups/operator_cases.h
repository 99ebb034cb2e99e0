// Small graphs, operator by operator.
#pragma once
#include <fmt/format.h>

#include <cstring>

#include "graph/builder.h"
#include "tests/groups/group_run.h"

namespace hone::groups {

using graph::Builder;
using graph::Reduction;
using graph::Shape;
using graph::ValueId;
using ir::BinaryOp;
using ir::Function;
using ir::Scalar;

// A graph being made, with inputs and weights by their shapes.
class GraphDraft {
 public:
  ValueId input(Shape shape, Scalar type = Scalar::F32) {
    return builder_.input(fmt::format("in{}", number_++), {type, std::move(shape)});
  }
  ValueId weight(Shape shape, Scalar type = Scalar::F32) {
    return builder_.constant(random_tensor({type, std::move(shape)}, 7, number_++));
  }
  template <class T>
  ValueId integers(Shape shape, Scalar type, std::initializer_list<T> values) {
    graph::Tensor tensor = graph::Tensor::zeros(type, std::move(shape));
    std::memcpy(tensor.writable().data(), values.begin(), tensor.bytes().size());
    return builder_.constant(std::move(tensor));
  }
  ValueId op(graph::Operator op, std::vector<ValueId> inputs) {
    return builder_.apply("node", std::move(op), std::move(inputs));
  }
  ValueId relu(ValueId x) { return op(graph::clip(Scalar::F32, 0, std::nullopt), {x}); }
  ValueId call(Function function, ValueId x) { return builder_.unary("call", function, x); }
  ValueId binary(BinaryOp op, ValueId a, ValueId b) { return builder_.binary("binary", op, a, b); }
  ValueId scalar(double value) { return builder_.scalar(value, Scalar::F32); }
  Builder& builder() { return builder_; }

 private:
  Builder builder_;
  int number_ = 0;
};

struct OperatorCase {
  std::string name;
  int kernels;  // that the graph becomes
  std::vector<ValueId> (*make)(GraphDraft&);
};

// The same along all dimensions.
inline graph::Window window(std::vector<std::int64_t> kernel, std::int64_t stride, std::int64_t padding,
                            std::int64_t dilation = 1) {
  const std::size_t n = kernel.size();
  return {std::move(kernel), std::vector(n, stride), std::vector(n, dilation), std::vector(n, padding),
          std::vector(n, padding)};
}

const std::vector<OperatorCase>& window_cases();   // convolutions, pools and what follows them
const std::vector<OperatorCase>& compute_cases();  // products, reductions, functions of elements
const std::vector<OperatorCase>& move_cases();     // elements that change places

}  // namespace hone::groups
