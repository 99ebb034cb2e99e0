#include "graph/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/infer.h"
#include "ir/element.h"

namespace hone::graph {
namespace {

// A result up to this size is worked out whatever its inputs are: shapes, masks and tables of positions
// are far smaller. A larger one only when it takes no more memory than what it is made of, so that a
// constant that is spread out over a large shape stays one element and a node.
constexpr std::int64_t kAlwaysFoldedBytes = std::int64_t{1} << 20;

// Operators that may take long for results of few bytes. Neither shapes nor weights are made by them.
bool is_costly(const Operator& op) {
  return std::holds_alternative<Conv>(op) || std::holds_alternative<ConvTranspose>(op) ||
         std::holds_alternative<Pool>(op) || std::holds_alternative<Einsum>(op) ||
         std::holds_alternative<Loop>(op);
}

std::int64_t size_bytes(const std::vector<ValueType>& types) {
  std::int64_t bytes = 0;
  for (const ValueType& type : types) bytes += model::elements(type.shape) * ir::size_bytes(type.type);
  return bytes;
}

}  // namespace

Builder::Builder(std::string graph_name) { graph_.name = std::move(graph_name); }

ValueId Builder::input(std::string name, ValueType type) {
  if (names_.contains(name)) throw UserError(fmt::format("two inputs are called '{}'", name));
  require_sane(type);
  const ValueId id = add_value(name, std::move(type), std::nullopt);
  graph_.inputs.push_back(id);
  return id;
}

ValueId Builder::constant(Tensor tensor, std::string name) {
  ValueType type{tensor.type(), tensor.shape()};
  require_sane(type);
  return add_value(name.empty() ? "constant" : name, std::move(type), std::move(tensor));
}

ValueId Builder::scalar(double value, ir::Scalar type) {
  Tensor tensor = Tensor::zeros(type, {});
  const ir::Expr literal = ir::constant(value, {type});
  const auto* real = literal.as<ir::FloatImm>();
  ir::write_number(type, tensor.writable().data(),
                   real ? ir::Number{.f = real->value} : ir::Number{.i = *ir::as_int(literal)});
  return constant(std::move(tensor));
}

std::vector<ValueId> Builder::add(const std::string& node_name, Operator op,
                                  std::vector<ValueId> inputs) {
  std::vector<ValueType> types = infer(op, types_of(inputs));
  std::vector<Tensor> results;
  if (is_folded(op, inputs, types)) results = evaluate(op, constants(inputs));
  std::vector<ValueId> outputs;
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto known = results.empty() ? std::nullopt : std::optional(std::move(results[i]));
    outputs.push_back(add_value(node_name, std::move(types[i]), std::move(known)));
  }
  if (results.empty()) graph_.nodes.push_back({node_name, std::move(op), std::move(inputs), outputs});
  return outputs;
}

std::vector<ValueType> Builder::types_of(const std::vector<ValueId>& ids) const {
  std::vector<ValueType> types;
  for (const ValueId id : ids) types.push_back(type(id));
  return types;
}

bool Builder::is_folded(const Operator& op, const std::vector<ValueId>& inputs,
                        const std::vector<ValueType>& outputs) const {
  const auto is_constant = [&](ValueId id) { return constant_of(id).has_value(); };
  if (is_costly(op) || !std::ranges::all_of(inputs, is_constant)) return false;
  const std::int64_t bytes = size_bytes(outputs);
  return bytes <= kAlwaysFoldedBytes || bytes <= size_bytes(types_of(inputs));
}

std::vector<Tensor> Builder::constants(const std::vector<ValueId>& ids) const {
  std::vector<Tensor> tensors;
  for (const ValueId id : ids) tensors.push_back(*constant_of(id));
  return tensors;
}

ValueId Builder::apply(const std::string& node_name, Operator op, std::vector<ValueId> inputs) {
  const std::vector<ValueId> outputs = add(node_name, std::move(op), std::move(inputs));
  check(outputs.size() == 1, "apply is for operators with one output");
  return outputs.front();
}

ValueId Builder::map(const std::string& node_name, std::vector<ValueId> inputs, const MapBody& body) {
  std::vector<ir::Scalar> types;
  for (const ValueId id : inputs) types.push_back(type(id).type);
  return apply(node_name, make_map(types, body), std::move(inputs));
}

ValueId Builder::unary(const std::string& node_name, ir::Function function, ValueId a) {
  return apply(node_name, graph::unary(function, type(a).type), {a});
}

ValueId Builder::binary(const std::string& node_name, ir::BinaryOp op, ValueId a, ValueId b) {
  return apply(node_name, graph::binary(op, type(a).type), {a, b});
}

const Value& Builder::value(ValueId id) const {
  check(id >= 0 && static_cast<std::size_t>(id) < graph_.values.size(), "a value of this builder");
  return graph_.values[static_cast<std::size_t>(id)];
}

void Builder::rename(ValueId id, const std::string& name) {
  std::string& current = graph_.values[static_cast<std::size_t>(id)].name;
  if (current == name) return;
  if (const auto holder = names_.find(name); holder != names_.end()) {
    const ValueId other = holder->second;
    std::string& evaded = graph_.values[static_cast<std::size_t>(other)].name;
    evaded = unused_name(name);
    names_[evaded] = other;
  }
  names_.erase(current);
  names_[name] = id;
  current = name;
}

Graph Builder::finish(std::vector<ValueId> outputs) {
  for (const ValueId id : outputs) value(id);
  graph_.outputs = std::move(outputs);
  names_.clear();
  suffixes_.clear();
  return std::exchange(graph_, {});
}

ValueId Builder::add_value(const std::string& name, ValueType type, std::optional<Tensor> constant) {
  const auto id = static_cast<ValueId>(graph_.values.size());
  const std::string unused = unused_name(name);
  names_.emplace(unused, id);
  graph_.values.push_back({unused, std::move(type), std::move(constant)});
  return id;
}

std::string Builder::unused_name(const std::string& wish) {
  std::string base = wish.empty() ? "value" : wish;
  if (!names_.contains(base)) return base;
  int& suffix = suffixes_[base];
  std::string name;
  do name = fmt::format("{}_{}", base, ++suffix);
  while (names_.contains(name));
  return name;
}

}  // namespace hone::graph
