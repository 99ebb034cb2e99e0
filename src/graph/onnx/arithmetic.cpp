// Arithmetic, element by element with broadcasting, and casts.
#include "base/error.h"
#include "graph/onnx/activation.h"
#include "graph/onnx/broadcasting.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

using ir::BinaryOp;
using ir::Function;

template <auto kBody>
std::vector<ValueId> of_one(const Reading& r) {
  return {r.emit.map({r.input(0)}, [](const auto& x) { return kBody(x[0]); })};
}

template <Function kFunction>
std::vector<ValueId> of_float(const Reading& r) {
  return {r.emit.map({r.float_input(0)}, [](const auto& x) { return ir::call(kFunction, {x[0]}); })};
}

// One map over all inputs, however many.
template <BinaryOp kOp>
Expr chain(const std::vector<Expr>& x) {
  Expr result = x.front();
  for (std::size_t i = 1; i < x.size(); ++i) result = ir::binary(kOp, result, x[i]);
  return result;
}

template <BinaryOp kOp>
std::vector<ValueId> of_all(const Reading& r) {
  return {r.emit.map(r.all_inputs(), chain<kOp>)};
}

std::vector<ValueId> read_mean(const Reading& r) {
  r.float_input(0);
  return {r.emit.map(r.all_inputs(), [](const auto& x) {
    return chain<BinaryOp::Add>(x) * literal(1.0 / static_cast<double>(x.size()), x[0]);
  })};
}

Expr negate(const Expr& x) {
  // 0 - x would lose the sign of a zero.
  return ir::is_float(x.type().scalar) ? x * literal(-1, x) : literal(0, x) - x;
}

Expr sign(const Expr& x) {
  const Expr zero = literal(0, x);
  const Expr positive = ir::select(x > zero, literal(1, x), zero);
  if (ir::is_unsigned_int(x.type().scalar)) return positive;
  return ir::select(x < zero, literal(-1, x), positive);
}

// C's remainder of floats: what is left when the quotient is rounded towards zero.
Expr float_remainder(const Expr& a, const Expr& b) {
  const Expr quotient = a / b;
  const Expr whole = ir::select(quotient < literal(0, a), ir::call(Function::Ceil, {quotient}),
                                ir::call(Function::Floor, {quotient}));
  return a - whole * b;
}

std::vector<ValueId> read_mod(const Reading& r) {
  const bool is_fmod = r.attributes.flag("fmod", false);
  const bool is_float = ir::is_float(r.emit.type(r.input(0)));
  if (is_float && !is_fmod) throw UserError("its inputs are floats, but its attribute `fmod` is not 1");
  return {r.emit.map({r.input(0), r.input(1)}, [&](const auto& x) {
    if (is_float) return float_remainder(x[0], x[1]);
    return ir::binary(is_fmod ? BinaryOp::Mod : BinaryOp::FloorMod, x[0], x[1]);
  })};
}

// The result has the base's type; whole numbers are raised in double precision.
std::vector<ValueId> read_pow(const Reading& r) {
  const std::vector<ValueId> inputs = broadcast_inputs(r);
  const ir::Type type{r.emit.type(inputs[0])};
  const auto& exponent = r.emit.constant_of(inputs[1]);
  if (ir::is_float(type.scalar) && exponent && exponent->size() == 1 &&
      r.emit.rank(inputs[1]) <= r.emit.rank(inputs[0])) {
    const double value = numbers_of(*exponent).front();
    return {r.emit.map({inputs[0]}, [&](const auto& x) { return power(x[0], value); })};
  }
  const ir::Type inner = ir::is_float(type.scalar) ? type : ir::Type{ir::Scalar::F64};
  return {r.emit.map_mixed(inputs, [&](const auto& x) {
    return ir::cast(type, ir::call(Function::Pow, {ir::cast(inner, x[0]), ir::cast(inner, x[1])}));
  })};
}

std::vector<ValueId> read_bit_shift(const Reading& r) {
  const std::string direction = r.attributes.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    throw UserError("its attribute `direction` is neither `LEFT` nor `RIGHT`");
  if (!ir::is_unsigned_int(r.emit.type(r.input(0))))
    throw UserError("only unsigned numbers are shifted");
  return {r.emit.map({r.input(0), r.input(1)}, [&](const auto& x) {
    return ir::call(direction == "LEFT" ? Function::ShiftLeft : Function::ShiftRight, {x[0], x[1]});
  })};
}

std::vector<ValueId> read_clip(const Reading& r) {
  std::vector<ValueId> inputs{r.input(0)};
  std::optional<std::size_t> low, high;  // places among the inputs
  const auto take_bound = [&](const char* attribute, std::size_t i, std::optional<std::size_t>& place) {
    if (!r.has_input(i) && !r.attributes.has(attribute)) return;
    place = inputs.size();
    inputs.push_back(r.has_input(i) ? r.input(i)
                                    : r.emit.builder().scalar(r.attributes.number(attribute, 0),
                                                              r.emit.type(r.float_input(0))));
  };
  take_bound("min", 1, low);
  take_bound("max", 2, high);
  return {r.emit.map(inputs, [&](const auto& x) {
    Expr value = x[0];
    if (low) value = ir::max(value, x[*low]);
    if (high) value = ir::min(value, x[*high]);
    return value;
  })};
}

std::vector<ValueId> read_cast(const Reading& r) {
  return {r.emit.cast(r.input(0), r.attributes.element_type("to"))};
}

std::vector<ValueId> read_cast_like(const Reading& r) {
  return {r.emit.cast(r.input(0), r.emit.type(r.input(1)))};
}

}  // namespace

Readers arithmetic() {
  return {
      {"Abs", of_one<abs>},
      {"Add", of_two<BinaryOp::Add>},
      {"BitShift", read_bit_shift},
      {"Cast", read_cast},
      {"CastLike", read_cast_like},
      {"Ceil", of_float<Function::Ceil>},
      {"Clip", read_clip},
      {"Div", of_two<BinaryOp::Div>},
      {"Erf", of_float<Function::Erf>},
      {"Exp", of_float<Function::Exp>},
      {"Floor", of_float<Function::Floor>},
      {"Log", of_float<Function::Log>},
      {"Max", of_all<BinaryOp::Max>},
      {"Mean", read_mean},
      {"Min", of_all<BinaryOp::Min>},
      {"Mod", read_mod},
      {"Mul", of_two<BinaryOp::Mul>},
      {"Neg", of_one<negate>},
      {"Pow", read_pow},
      {"Reciprocal", of_one<[](const Expr& x) { return literal(1, x) / x; }>},
      {"Round", of_float<Function::Round>},
      {"Sign", of_one<sign>},
      {"Sqrt", of_float<Function::Sqrt>},
      {"Sub", of_two<BinaryOp::Sub>},
      {"Sum", of_all<BinaryOp::Add>},
  };
}

}  // namespace hone::graph::onnx
