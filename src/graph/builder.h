// Makes graphs node by node: infers types, names values, and works out at once what is constant.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/maps.h"

namespace hone::graph {

class Builder {
 public:
  explicit Builder(std::string graph_name = {});

  ValueId input(std::string name, ValueType type);
  ValueId constant(Tensor tensor, std::string name = {});
  ValueId scalar(double value, ir::Scalar type);  // a constant of shape []

  // Adds a node and gives its outputs, which are constants without a node when all inputs are and the
  // result is not too large to be kept. A UserError does not name the node: whoever adds it knows what
  // it is to the user.
  std::vector<ValueId> add(const std::string& node_name, Operator op, std::vector<ValueId> inputs);

  // The same for operators with one output.
  ValueId apply(const std::string& node_name, Operator op, std::vector<ValueId> inputs);
  ValueId map(const std::string& node_name, std::vector<ValueId> inputs, const MapBody& body);
  ValueId unary(const std::string& node_name, ir::Function function, ValueId a);
  ValueId binary(const std::string& node_name, ir::BinaryOp op, ValueId a, ValueId b);

  const Value& value(ValueId id) const;
  const ValueType& type(ValueId id) const { return value(id).type; }
  const std::optional<Tensor>& constant_of(ValueId id) const { return value(id).constant; }

  // Gives the value this name; another value that had it gets one made from it.
  void rename(ValueId id, const std::string& name);

  // The graph as built; the builder is empty afterwards.
  Graph finish(std::vector<ValueId> outputs);

 private:
  ValueId add_value(const std::string& name, ValueType type, std::optional<Tensor> constant);
  std::string unused_name(const std::string& wish);
  std::vector<ValueType> types_of(const std::vector<ValueId>& ids) const;
  std::vector<Tensor> constants(const std::vector<ValueId>& ids) const;
  bool is_folded(const Operator& op, const std::vector<ValueId>& inputs,
                 const std::vector<ValueType>& outputs) const;

  Graph graph_;
  std::unordered_map<std::string, ValueId> names_;  // of all values
  std::unordered_map<std::string, int> suffixes_;   // the last number tried behind a name
};

}  // namespace hone::graph
