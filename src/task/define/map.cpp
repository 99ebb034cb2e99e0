// Functions of elements: the op is called after the function where that has a name.
#include "base/error.h"
#include "task/define/define.h"
#include "task/ops/pointwise.h"

namespace hone::task::define {
namespace {

// 16-bit floats are computed with in f32: the body over operands that were read so.
ir::Expr widened(const ir::Expr& e, const ir::Substitution& operands) {
  const auto again = [&](const ir::Expr& part) { return widened(part, operands); };
  return ir::match(
      e, [&](const ir::IntImm&) { return e; },
      [&](const ir::FloatImm& n) { return ir::float_imm(n.value, ops::arithmetic(e.type())); },
      [&](const ir::Variable&) { return operands.at(e.get()); },
      [&](const ir::Not& n) { return ir::logical_not(again(n.a)); },
      [&](const ir::Binary& n) { return ir::binary(n.op, again(n.a), again(n.b)); },
      [&](const ir::Select& n) {
        return ir::select(again(n.condition), again(n.then_value), again(n.else_value), n.lazy);
      },
      [&](const ir::Call& n) {
        std::vector<ir::Expr> args;
        for (const ir::Expr& arg : n.args) args.push_back(again(arg));
        return ir::call(n.function, std::move(args));
      },
      [&](const ir::Cast& n) { return ir::cast(ops::arithmetic(e.type()), again(n.value)); },
      [](const ir::Load&) -> ir::Expr { fail("a function of elements reads no tensor"); },
      [](const ir::Ramp&) -> ir::Expr { fail("a function of elements has no vectors"); },
      [](const ir::Broadcast&) -> ir::Expr { fail("a function of elements has no vectors"); });
}

// The function that the body is, under the name by which the catalogue knows it.
std::string function_name(const graph::Map& map) {
  for (const ops::Pointwise& function : ops::pointwise_functions()) {
    if (static_cast<std::size_t>(function.operands) != map.operands.size()) continue;
    const ir::Expr& a = map.operands.front();
    const bool takes = function.takes_integers || ir::is_float(a.type().scalar);
    const bool fits = a.type() == map.operands.back().type();
    if (takes && fits && ir::equal(map.body, function.apply(a, map.operands.back()))) {
      return function.name;
    }
  }
  return "map";
}

// The operand whose axes the result takes: one of its shape that was made here, or else any such.
ValueId model_for_axes(const Scope& scope, const graph::Node& node) {
  const Shape& shape = scope.shape(node.outputs.front());
  for (const ValueId input : node.inputs) {
    if (scope.is_made(input) && scope.shape(input) == shape) return input;
  }
  return node.inputs.front();
}

struct Names {
  std::string op, operand;  // operand: of a second one that comes from outside
};

// What is added to a tensor of the group: a constant along the channels, or a residual.
Names names_of(const Scope& scope, const graph::Node& node, const graph::Map& map) {
  Names names{function_name(map), ""};
  if (names.op != "add") return names;
  const bool adds_to_left = scope.is_made(node.inputs[0]);
  if (!adds_to_left && !scope.is_made(node.inputs[1])) return names;
  const ValueId other = node.inputs[adds_to_left ? 1 : 0];
  if (scope.is_made(other)) return names;
  const bool is_whole = scope.shape(other) == scope.shape(node.outputs.front());
  if (is_whole) return {"add", "residual"};
  return scope.is_constant(other) ? Names{"bias_add", "bias"} : names;
}

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Map& map) {
  const ValueId out = node.outputs.front();
  const Names names = names_of(scope, node, map);
  const Shape& shape = scope.shape(out);
  const Axes axes =
      node.inputs.empty() ? scope.axes(shape) : scope.axes(shape, model_for_axes(scope, node));
  const Index index = ops::index_of(axes);
  ir::Substitution operands;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const bool is_outside = !scope.is_made(node.inputs[i]);
    operands[map.operands[i].get()] =
        scope.read_spread(node.inputs[i], shape, index, is_outside ? names.operand : "");
  }
  ir::Expr body = widened(map.body, operands);
  // What was made here stands first, whichever way the model wrote the sum.
  const auto* sum = body.as<ir::Binary>();
  if (!names.operand.empty() && scope.is_made(node.inputs[1])) {
    body = ir::binary(sum->op, sum->b, sum->a);
  }
  scope.compute(out, names.op, axes, body);
}

}  // namespace hone::task::define
