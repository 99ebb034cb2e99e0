#include "graph/onnx/activation.h"

#include <cmath>
#include <numbers>

#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

using ir::Function;

Expr exp(const Expr& x) { return ir::call(Function::Exp, {x}); }
Expr log(const Expr& x) { return ir::call(Function::Log, {x}); }
Expr sqrt(const Expr& x) { return ir::call(Function::Sqrt, {x}); }
Expr rsqrt(const Expr& x) { return ir::call(Function::Rsqrt, {x}); }
Expr tanh(const Expr& x) { return ir::call(Function::Tanh, {x}); }

Expr abs(const Expr& x) {
  if (ir::is_float(x.type().scalar)) return ir::call(Function::Abs, {x});
  if (ir::is_unsigned_int(x.type().scalar)) return x;
  return ir::max(x, literal(0, x) - x);
}

Expr power(const Expr& x, double exponent) {
  if (exponent == 1) return x;
  if (exponent == 2) return x * x;
  if (exponent == 3) return x * x * x;
  if (exponent == 0.5) return sqrt(x);
  if (exponent == -0.5) return rsqrt(x);
  if (exponent == -1) return literal(1, x) / x;
  return ir::call(Function::Pow, {x, literal(exponent, x)});
}

Expr relu(const Expr& x) { return ir::max(x, literal(0, x)); }

Expr sigmoid(const Expr& x) { return ir::call(Function::Sigmoid, {x}); }

// log(1 + exp(x)) that does not overflow for large x.
Expr softplus(const Expr& x) { return relu(x) + log(literal(1, x) + exp(literal(0, x) - abs(x))); }

Expr softsign(const Expr& x) { return x / (literal(1, x) + abs(x)); }

Expr affine(const Expr& x, double alpha, double beta) {
  return x * literal(alpha, x) + literal(beta, x);
}

Expr hard_sigmoid(const Expr& x, double alpha, double beta) {
  return ir::min(relu(affine(x, alpha, beta)), literal(1, x));
}

Expr leaky_relu(const Expr& x, double alpha) {
  return ir::select(x < literal(0, x), x * literal(alpha, x), x);
}

Expr thresholded_relu(const Expr& x, double alpha) {
  return ir::select(x > literal(alpha, x), x, literal(0, x));
}

Expr elu(const Expr& x, double alpha) {
  return ir::select(x < literal(0, x), (exp(x) - literal(1, x)) * literal(alpha, x), x);
}

Expr gelu(const Expr& x) {
  const Expr erf = ir::call(Function::Erf, {x * literal(1 / std::numbers::sqrt2, x)});
  return x * literal(0.5, x) * (literal(1, x) + erf);
}

Expr gelu_by_tanh(const Expr& x) {
  const double root = std::sqrt(2 / std::numbers::pi);
  const Expr inner = (x + x * x * x * literal(0.044715, x)) * literal(root, x);
  return x * literal(0.5, x) * (literal(1, x) + tanh(inner));
}

}  // namespace hone::graph::onnx
