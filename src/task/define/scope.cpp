#include "task/define/scope.h"

#include <numeric>

#include "base/error.h"
#include "ir/element.h"

namespace hone::task::define {
namespace {

std::vector<std::size_t> all_dimensions(const Shape& shape) {
  std::vector<std::size_t> kept(shape.size());
  std::iota(kept.begin(), kept.end(), 0);
  return kept;
}

// A tensor has at least one dimension.
Shape picked(const Shape& shape, const std::vector<std::size_t>& kept) {
  Shape result;
  for (const std::size_t d : kept) result.push_back(shape[d]);
  return result.empty() ? Shape{1} : result;
}

ir::Expr literal(const graph::Tensor& tensor) {
  const ir::Scalar scalar = tensor.type();
  const ir::Number number = ir::read_number(scalar, tensor.bytes().data());
  const ir::Type type = ops::arithmetic({scalar, 1});
  return ir::is_float(scalar) ? ir::float_imm(number.f, type) : ir::int_imm(number.i, type);
}

}  // namespace

Scope::Scope(const graph::Graph& graph, std::map<ValueId, Shape> shapes, ir::Type result)
    : graph_(graph), shapes_(std::move(shapes)), draft_(result) {}

ir::Type Scope::type(ValueId value) const {
  return {graph_.values[static_cast<std::size_t>(value)].type.type, 1};
}

const std::optional<graph::Tensor>& Scope::constant(ValueId value) const {
  return graph_.values[static_cast<std::size_t>(value)].constant;
}

bool Scope::is_constant(ValueId value) const { return constant(value).has_value(); }

bool Scope::is_made(ValueId value) const {
  const auto found = places_.find(value);
  return found != places_.end() && !found->second.axes.empty();
}

std::string Scope::operand_name() {
  const int number = n_operands_++;
  return number < 26 ? std::string(1, static_cast<char>('A' + number)) : "A";
}

const Scope::Place& Scope::add_placeholder(ValueId value, const std::string& name,
                                           std::vector<std::size_t> kept) {
  const Shape dense = picked(shape(value), kept);
  const ir::Buffer buffer =
      draft_.placeholder(name.empty() ? operand_name() : name, dense, type(value));
  return places_.emplace(value, Place{buffer, std::move(kept), {}}).first->second;
}

const Scope::Place& Scope::place(ValueId value) {
  const auto found = places_.find(value);
  if (found != places_.end()) return found->second;
  return add_placeholder(value, {}, all_dimensions(shape(value)));
}

ir::Expr Scope::load(ValueId value, const Index& index) {
  const Place& at = place(value);
  Index inside;
  for (const std::size_t d : at.kept) inside.push_back(index[d]);
  if (inside.empty()) inside.emplace_back(0);
  return ir::load(at.buffer, std::move(inside));
}

ir::Expr Scope::read(ValueId value, const Index& index) {
  const ir::Expr element = load(value, index);
  return ir::cast(ops::arithmetic(element.type()), element);
}

ir::Expr Scope::read_to_sum(ValueId value, const Index& index) {
  const ir::Expr element = load(value, index);
  return ir::cast(ops::accumulator(element.type()), element);
}

ir::Expr Scope::read_spread(ValueId value, const Shape& result, const Index& index,
                            const std::string& name) {
  const Shape& own = shape(value);
  const bool is_known = places_.contains(value);
  if (!is_known && is_constant(value) && model::elements(own) == 1) return literal(*constant(value));
  if (!is_known) {
    std::vector<std::size_t> kept;
    for (std::size_t d = 0; d < own.size(); ++d) {
      if (own[d] != 1 || own == result) kept.push_back(d);
    }
    add_placeholder(value, name, std::move(kept));
  }
  const std::size_t first = result.size() - own.size();
  Index inside;
  for (std::size_t d = 0; d < own.size(); ++d) {
    inside.push_back(own[d] == result[first + d] ? index[first + d] : ir::Expr(0));
  }
  return read(value, inside);
}

ir::Buffer Scope::tensor(ValueId value, const std::string& name) {
  return tensor(value, name, all_dimensions(shape(value)));
}

ir::Buffer Scope::tensor(ValueId value, const std::string& name, const std::vector<std::size_t>& kept) {
  const auto found = places_.find(value);
  if (found == places_.end()) return add_placeholder(value, name, kept).buffer;
  if (found->second.kept == kept) return found->second.buffer;
  const Axes all = axes(picked(shape(value), kept));
  Index index(shape(value).size(), ir::Expr(0));
  for (std::size_t d = 0; d < kept.size(); ++d) index[kept[d]] = all[d].var;
  return draft_.compute("view", all, load(value, index));
}

ir::Buffer Scope::prepared(ValueId value, const std::string& name, graph::Graph preparation) {
  check(is_constant(value) && !places_.contains(value), "only this reader takes the constant");
  const auto result = static_cast<std::size_t>(preparation.outputs.front());
  shapes_[value] = preparation.values[result].type.shape;
  preparations_.emplace(value, std::move(preparation));
  return add_placeholder(value, name, all_dimensions(shape(value))).buffer;
}

Hints Scope::hints_for(ValueId weight) {
  return is_constant(weight) ? ops::with_weight(place(weight).buffer) : Hints{};
}

Axes Scope::axes(const Shape& shape, std::optional<ValueId> like) const {
  if (like) {
    const auto found = places_.find(*like);
    if (found != places_.end() && ops::shape_of(found->second.axes) == shape) {
      return ops::fresh(found->second.axes);
    }
  }
  Axes result;
  if (shape.size() <= 2) {
    const Shape extents = shape.empty() ? Shape{1} : shape;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      result.push_back(ops::axis(d == 0 ? "i" : "j", extents[d]));
    }
    return result;
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    result.push_back(ops::axis("i" + std::to_string(d), shape[d]));
  }
  return result;
}

void Scope::bind(ValueId value, ir::Buffer buffer, std::vector<std::size_t> kept) {
  const ir::Type wanted = type(value);
  if (!ir::is_float(wanted.scalar) && buffer->type != wanted) {
    const Axes all = ops::fresh(draft_.last().axes);
    buffer = draft_.compute("cast", all, ir::cast(wanted, ir::load(buffer, ops::index_of(all))));
  }
  places_[value] = {std::move(buffer), std::move(kept), draft_.last().axes};
}

void Scope::bind(ValueId value, const ir::Buffer& buffer) {
  bind(value, buffer, all_dimensions(shape(value)));
}

void Scope::compute(ValueId value, const std::string& name, const Axes& axes, const ir::Expr& body) {
  bind(value, draft_.compute(name, axes, body));
}

std::vector<ValueId> Scope::inputs_of(const Task& task) const {
  std::vector<ValueId> inputs;
  for (const int op : task.placeholders()) {
    const ir::Buffer& buffer = task.ops[static_cast<std::size_t>(op)].output();
    for (const auto& [value, place] : places_) {
      if (place.buffer == buffer) inputs.push_back(value);
    }
  }
  return inputs;
}

}  // namespace hone::task::define
