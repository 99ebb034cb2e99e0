// Activation functions as expressions, for nodes of their own and for the gates of recurrences.
#pragma once
#include "ir/expr.h"

namespace hone::graph::onnx {

using ir::Expr;

Expr exp(const Expr& x);
Expr log(const Expr& x);
Expr sqrt(const Expr& x);
Expr rsqrt(const Expr& x);
Expr tanh(const Expr& x);
Expr abs(const Expr& x);                     // of any type
Expr power(const Expr& x, double exponent);  // by products and roots where that is the same

Expr relu(const Expr& x);
Expr sigmoid(const Expr& x);
Expr softplus(const Expr& x);
Expr softsign(const Expr& x);
Expr affine(const Expr& x, double alpha, double beta);  // alpha x + beta
Expr hard_sigmoid(const Expr& x, double alpha, double beta);
Expr leaky_relu(const Expr& x, double alpha);
Expr thresholded_relu(const Expr& x, double alpha);
Expr elu(const Expr& x, double alpha);
Expr gelu(const Expr& x);
Expr gelu_by_tanh(const Expr& x);

}  // namespace hone::graph::onnx
