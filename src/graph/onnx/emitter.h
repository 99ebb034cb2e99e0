// Adds to a graph the nodes that one node of the model becomes.
#pragma once
#include <string>
#include <vector>

#include "graph/builder.h"

namespace hone::graph::onnx {

class Emitter {
 public:
  Emitter(Builder& builder, std::string node) : builder_(&builder), node_(std::move(node)) {}

  Builder& builder() const { return *builder_; }
  const std::string& node() const { return node_; }  // the name that nodes get
  ir::Scalar type(ValueId id) const { return builder_->type(id).type; }
  Shape shape(ValueId id) const { return builder_->type(id).shape; }
  std::size_t rank(ValueId id) const { return builder_->type(id).shape.size(); }
  const std::optional<Tensor>& constant_of(ValueId id) const { return builder_->constant_of(id); }

  ValueId add(Operator op, std::vector<ValueId> inputs) const;  // for operators with one output
  ValueId constant(Tensor tensor) const;
  ValueId constant(const std::vector<std::int64_t>& elements) const;  // int64, of one dimension
  ValueId iota(std::int64_t count) const;                             // 0, 1, 2, ... as int64

  // Inputs of one type, which is a UserError otherwise. Constants of one element become literals, so
  // that code has them in its instructions.
  ValueId map(const std::vector<ValueId>& inputs, const MapBody& body) const;
  ValueId map_mixed(const std::vector<ValueId>& inputs, const MapBody& body) const;  // of any types
  ValueId scaled(ValueId a, double factor) const;  // the value itself when factor is 1
  ValueId cast(ValueId a, ir::Scalar type) const;  // the value itself when it has it
  ValueId where(ValueId condition, ValueId a, ValueId b) const;

  ValueId reshape(ValueId a, Shape shape) const;  // the value itself when it has that shape
  ValueId transpose(ValueId a, std::vector<int> order) const;
  ValueId expand(ValueId a, Shape shape) const;
  // Elements [begin, begin + count) along an axis.
  ValueId slice(ValueId a, int axis, std::int64_t begin, std::int64_t count) const;
  ValueId concat(std::vector<ValueId> parts, int axis) const;
  ValueId reduce(Reduction reduction, ValueId a, std::vector<int> axes) const;  // axes stay as 1
  ValueId mean(ValueId a, const std::vector<int>& axes) const;
  ValueId matmul(ValueId a, ValueId b) const { return add(MatMul{}, {a, b}); }
  // A vector of one entry a channel (dimension 1), shaped so that it broadcasts to `rank` dimensions.
  ValueId per_channel(ValueId vector, std::size_t rank) const;

 private:
  void require_same_type(const std::vector<ValueId>& inputs) const;

  Builder* builder_;
  std::string node_;
};

// A constant that is made while a model is read stays small: a UserError otherwise.
void require_constant_size(std::int64_t elements);

// A literal of the type of `like`.
inline ir::Expr literal(double value, const ir::Expr& like) { return ir::constant(value, like.type()); }
// The only element of a tensor as a literal.
ir::Expr literal(const Tensor& element);

}  // namespace hone::graph::onnx
