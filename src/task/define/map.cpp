// Functions of elements. What follows a convolution or a product is written as the catalogue writes its
// tails, one op each, however many functions a node has in it.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "task/define/define.h"
#include "task/ops/pointwise.h"

namespace hone::task::define {
namespace {

using ir::Expr;

// 16-bit floats are computed with in f32: the body over operands that were read so.
Expr widened(const Expr& e, const ir::Substitution& operands) {
  const auto again = [&](const Expr& part) { return widened(part, operands); };
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
        std::vector<Expr> args;
        for (const Expr& arg : n.args) args.push_back(again(arg));
        return ir::call(n.function, std::move(args));
      },
      [&](const ir::Cast& n) { return ir::cast(ops::arithmetic(e.type()), again(n.value)); },
      [](const ir::Load&) -> Expr { fail("a function of elements reads no tensor"); },
      [](const ir::Ramp&) -> Expr { fail("a function of elements has no vectors"); },
      [](const ir::Broadcast&) -> Expr { fail("a function of elements has no vectors"); });
}

// Whether `e` is `pattern` with expressions for its variables, which are added to `meaning`.
bool matches(const Expr& pattern, const Expr& e, ir::Substitution& meaning) {
  if (pattern.type() != e.type() ||
      (pattern->kind.index() != e->kind.index() && !pattern.as<ir::Variable>())) {
    return false;
  }
  if (pattern.as<ir::Variable>()) {
    const auto [known, is_new] = meaning.emplace(pattern.get(), e);
    return is_new || ir::equal(known->second, e);
  }
  std::vector<Expr> wanted, given;
  ir::for_each_child(pattern, [&](const Expr& child) { wanted.push_back(child); });
  ir::for_each_child(e, [&](const Expr& child) { given.push_back(child); });
  if (wanted.size() != given.size() || wanted.empty()) return ir::equal(pattern, e);
  const auto* one = pattern.as<ir::Binary>();
  if (one != nullptr && one->op != e.as<ir::Binary>()->op) return false;
  const auto* call = pattern.as<ir::Call>();
  if (call != nullptr && call->function != e.as<ir::Call>()->function) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!matches(wanted[i], given[i], meaning)) return false;
  }
  return true;
}

// What the function is applied to when the body is that; one expression an operand.
std::optional<std::vector<Expr>> arguments_of(const ops::Pointwise& function, const Expr& body) {
  if (!function.takes_integers && !ir::is_float(body.type().scalar)) return std::nullopt;
  const Expr a = ir::variable("a", body.type()), b = ir::variable("b", body.type());
  ir::Substitution meaning;
  if (!matches(function.apply(a, b), body, meaning)) return std::nullopt;
  if (function.operands == 1) return std::vector{meaning.at(a.get())};
  return std::vector{meaning.at(a.get()), meaning.at(b.get())};
}

class MapWriter {
 public:
  MapWriter(Scope& scope, const graph::Node& node, const graph::Map& map)
      : scope_(scope), node_(node), map_(map), shape_(scope.shape(node.outputs.front())) {}

  // The last op written is the whole body's.
  ir::Buffer write(const Expr& body) {
    if (const ops::Pointwise* tail = tail_of(body)) {
      const Expr inner = arguments_of(*tail, body)->front();
      if (!is_operand(inner) && holds_made(inner)) return write_tail(*tail, inner);
    }
    const auto* sum = body.as<ir::Binary>();
    if (sum != nullptr && sum->op == ir::BinaryOp::Add) {
      if (is_outside(sum->b) && holds_made(sum->a)) return write_sum(sum->a, sum->b);
      if (is_outside(sum->a) && holds_made(sum->b)) return write_sum(sum->b, sum->a);
    }
    const Axes axes = scope_.axes(shape_, model_for_axes());
    return scope_.draft().compute(name_of(body), axes, widened(body, operands_at(body, axes)));
  }

 private:
  ir::Buffer write_tail(const ops::Pointwise& tail, const Expr& inner) {
    const ir::Buffer value = write(inner);
    const Axes axes = ops::fresh(scope_.draft().last().axes);
    return scope_.draft().compute(tail.name, axes,
                                  tail.apply(ops::read(value, ops::index_of(axes)), {}));
  }

  // To a tensor that was made here: a constant along the channels, or a residual.
  ir::Buffer write_sum(const Expr& made, const Expr& other) {
    const bool is_tensor = is_operand(made);
    const ir::Buffer before = is_tensor ? nullptr : write(made);
    const Axes axes =
        is_tensor ? scope_.axes(shape_, value_of(made)) : ops::fresh(scope_.draft().last().axes);
    const Index index = ops::index_of(axes);
    const Expr value = is_tensor ? scope_.read(value_of(made), index) : ops::read(before, index);
    const ValueId added = value_of(other);
    const bool is_whole = scope_.shape(added) == shape_;
    const bool is_bias = !is_whole && scope_.is_constant(added);
    const std::string operand = is_whole ? "residual" : is_bias ? "bias" : "";
    const Expr term = scope_.read_spread(added, shape_, index, operand);
    return scope_.draft().compute(is_bias ? "bias_add" : "add", axes, value + term);
  }

  bool is_operand(const Expr& e) const { return e.as<ir::Variable>() != nullptr; }
  ValueId value_of(const Expr& operand) const {
    for (std::size_t i = 0; i < map_.operands.size(); ++i) {
      if (map_.operands[i].same(operand)) return node_.inputs[i];
    }
    fail("a variable of a map is one of its operands");
  }
  bool is_made_whole(ValueId value) const {
    return scope_.is_made(value) && scope_.shape(value) == shape_;
  }
  bool is_outside(const Expr& e) const { return is_operand(e) && !scope_.is_made(value_of(e)); }
  // Whether a tensor of the result's shape that was made here is part of it.
  bool holds_made(const Expr& e) const {
    bool found = false;
    ir::visit(e, [&](const Expr& part) { found |= is_operand(part) && is_made_whole(value_of(part)); });
    return found;
  }

  static const ops::Pointwise* tail_of(const Expr& body) {
    static const std::array<const char*, 5> kTails = {"relu6", "relu", "gelu", "sigmoid", "hswish"};
    for (const char* name : kTails) {
      if (arguments_of(ops::pointwise(name), body)) return &ops::pointwise(name);
    }
    return nullptr;
  }

  // As the catalogue calls a function of operands.
  std::string name_of(const Expr& body) const {
    for (const ops::Pointwise& function : ops::pointwise_functions()) {
      const auto arguments = arguments_of(function, body);
      if (!arguments) continue;
      const auto is_plain = [](const Expr& e) {
        return e.as<ir::Variable>() || e.as<ir::FloatImm>() || e.as<ir::IntImm>();
      };
      if (std::ranges::all_of(*arguments, is_plain)) return function.name;
    }
    return "map";
  }

  // A value whose axes the result takes: one of its shape that was made here, or else any.
  std::optional<ValueId> model_for_axes() const {
    const auto found =
        std::ranges::find_if(node_.inputs, [&](ValueId value) { return is_made_whole(value); });
    return found == node_.inputs.end() ? std::nullopt : std::optional(*found);
  }

  ir::Substitution operands_at(const Expr& body, const Axes& axes) {
    ir::Substitution values;
    for (std::size_t i = 0; i < map_.operands.size(); ++i) {
      if (!ir::uses(body, map_.operands[i])) continue;
      values[map_.operands[i].get()] =
          scope_.read_spread(node_.inputs[i], shape_, ops::index_of(axes), "");
    }
    return values;
  }

  Scope& scope_;
  const graph::Node& node_;
  const graph::Map& map_;
  const Shape& shape_;
};

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Map& map) {
  scope.bind(node.outputs.front(), MapWriter(scope, node, map).write(map.body));
}

}  // namespace hone::task::define
