#include "task/ops/pointwise.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::task::ops {
namespace {

using ir::Expr;
using ir::Function;

// The literal in the type of `like`.
Expr literal(double value, const Expr& like) { return ir::constant(value, like.type()); }

template <Function kFunction>
Expr call(const Expr& a, const Expr&) {
  return ir::call(kFunction, {a});
}

template <ir::BinaryOp kOp>
Expr binary(const Expr& a, const Expr& b) {
  return ir::binary(kOp, a, b);
}

Expr relu(const Expr& a, const Expr&) { return ir::max(a, literal(0, a)); }

Expr clip6(const Expr& a) { return ir::min(ir::max(a, literal(0, a)), literal(6, a)); }

Expr relu6(const Expr& a, const Expr&) { return clip6(a); }

Expr hswish(const Expr& a, const Expr&) { return a * clip6(a + literal(3, a)) * literal(1.0 / 6, a); }

// a times the normal distribution's function at a.
Expr gelu(const Expr& a, const Expr&) {
  const Expr erf = ir::call(Function::Erf, {a * literal(std::sqrt(0.5), a)});
  return a * (literal(0.5, a) + erf * literal(0.5, a));
}

}  // namespace

const std::vector<Pointwise>& pointwise_functions() {
  static const std::vector<Pointwise> kFunctions = {
      {"exp", 1, false, call<Function::Exp>},
      {"log", 1, false, call<Function::Log>},
      {"erf", 1, false, call<Function::Erf>},
      {"tanh", 1, false, call<Function::Tanh>},
      {"sqrt", 1, false, call<Function::Sqrt>},
      {"rsqrt", 1, false, call<Function::Rsqrt>},
      {"sigmoid", 1, false, call<Function::Sigmoid>},
      {"abs", 1, false, call<Function::Abs>},
      {"floor", 1, false, call<Function::Floor>},
      {"ceil", 1, false, call<Function::Ceil>},
      {"round", 1, false, call<Function::Round>},
      {"gelu", 1, false, gelu},
      {"hswish", 1, false, hswish},
      {"relu", 1, true, relu},
      {"relu6", 1, true, relu6},
      {"add", 2, true, binary<ir::BinaryOp::Add>},
      {"sub", 2, true, binary<ir::BinaryOp::Sub>},
      {"mul", 2, true, binary<ir::BinaryOp::Mul>},
      {"div", 2, false, binary<ir::BinaryOp::Div>},
      {"min", 2, true, binary<ir::BinaryOp::Min>},
      {"max", 2, true, binary<ir::BinaryOp::Max>},
      {"pow", 2, false, [](const Expr& a, const Expr& b) { return ir::call(Function::Pow, {a, b}); }},
  };
  return kFunctions;
}

const Pointwise& pointwise(std::string_view name) {
  const std::vector<Pointwise>& all = pointwise_functions();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Pointwise& f) { return f.name == name; });
  check(found != all.end(), "the function is in the table");
  return *found;
}

}  // namespace hone::task::ops
