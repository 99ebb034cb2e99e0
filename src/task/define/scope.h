// The values of a group while its task is written down: which tensor of the task each of them is.
#pragma once
#include <map>

#include "graph/graph.h"
#include "task/ops/draft.h"

namespace hone::task::define {

using graph::ValueId;
using ops::Axes;
using ops::Index;
using ops::Shape;

// Values that no node of the group has made become placeholders when they are first read.
class Scope {
 public:
  // `shapes` are those under which the group's nodes know the values.
  Scope(const graph::Graph& graph, std::map<ValueId, Shape> shapes, ir::Type result);

  ops::Draft& draft() { return draft_; }
  const Shape& shape(ValueId value) const { return shapes_.at(value); }
  ir::Type type(ValueId value) const;
  bool is_constant(ValueId value) const;
  // A placeholder's elements, when they are known.
  const std::optional<graph::Tensor>& constant(ValueId value) const;

  // An element in the type that single values are computed in. `index` has an entry a dimension.
  ir::Expr read(ValueId value, const Index& index);
  // The same in the type that sums are held in.
  ir::Expr read_to_sum(ValueId value, const Index& index);
  // An element that is needed as it is stored: an index, something that is only moved.
  ir::Expr load(ValueId value, const Index& index);
  // The same for an operand that is spread over a result of `shape`, `index` being the result's: one
  // known element is a literal, and a placeholder has no dimensions of extent 1.
  ir::Expr read_spread(ValueId value, const Shape& shape, const Index& index, const std::string& name);

  // The whole tensor with all its dimensions, or with those `kept` when the others have extent 1; a new
  // placeholder gets the name.
  ir::Buffer tensor(ValueId value, const std::string& name);
  ir::Buffer tensor(ValueId value, const std::string& name, const std::vector<std::size_t>& kept);
  // The hints of an op that multiplies by a value: weights may be laid out anew.
  Hints hints_for(ValueId weight);

  // A new placeholder for what `preparation`, a graph of one input, makes of a constant before anything
  // runs; hints_for speaks of it, too.
  ir::Buffer prepared(ValueId value, const std::string& name, graph::Graph preparation);

  // Axes for a result of `shape`, called as those of `like` when that was made here with this shape.
  Axes axes(const Shape& shape, std::optional<ValueId> like = std::nullopt) const;

  // From now on the value is this tensor, whose dimensions are `kept` of the value's: others, of extent
  // 1, are left out. Integers take the value's type.
  void bind(ValueId value, ir::Buffer buffer, std::vector<std::size_t> kept);
  void bind(ValueId value, const ir::Buffer& buffer);  // all dimensions
  void compute(ValueId value, const std::string& name, const Axes& axes, const ir::Expr& body);

  // Whether a node of the group has made it.
  bool is_made(ValueId value) const;
  // The name of the next operand that has no better one: A, B, ...
  std::string operand_name();

  // The values behind the task's placeholders, in its order.
  std::vector<ValueId> inputs_of(const Task& task) const;
  std::map<ValueId, graph::Graph> take_preparations() { return std::move(preparations_); }

 private:
  struct Place {
    ir::Buffer buffer;
    std::vector<std::size_t> kept;  // dimensions of the value that the buffer has
    Axes axes;                      // of the op that made it; none of a placeholder
  };
  const Place& place(ValueId value);
  const Place& add_placeholder(ValueId value, const std::string& name, std::vector<std::size_t> kept);

  const graph::Graph& graph_;
  std::map<ValueId, Shape> shapes_;
  std::map<ValueId, Place> places_;
  std::map<ValueId, graph::Graph> preparations_;
  ops::Draft draft_;
  int n_operands_ = 0;
};

}  // namespace hone::task::define
