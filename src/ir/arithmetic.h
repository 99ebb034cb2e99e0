// What every operation computes on numbers: the one place that folding and interpreting share.
#pragma once
#include <cmath>
#include <cstdint>

#include "ir/element.h"
#include "ir/expr.h"
#include "ir/number.h"

namespace hone::ir {

// Rounded towards minus infinity; b is not zero.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  if (b == -1) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(a));
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

constexpr bool divides(BinaryOp op) {
  return op == BinaryOp::Div || op == BinaryOp::Mod || op == BinaryOp::FloorDiv ||
         op == BinaryOp::FloorMod;
}
constexpr bool compares(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }

template <class Number>
constexpr bool compare(BinaryOp op, Number a, Number b) {
  switch (op) {
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    default:
      return a >= b;
  }
}

// Operands and result are values of the integer type or bool (a uint64 by its bits); comparisons give
// 0 or 1. No division by zero.
inline std::int64_t evaluate(BinaryOp op, Scalar scalar, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  const auto wrapped = [&](std::uint64_t value) {
    return wrap_to(scalar, static_cast<std::int64_t>(value));
  };
  const bool is_u64 = scalar == Scalar::U64;
  switch (op) {
    case BinaryOp::Add:
      return wrapped(ua + ub);
    case BinaryOp::Sub:
      return wrapped(ua - ub);
    case BinaryOp::Mul:
      return wrapped(ua * ub);
    case BinaryOp::Div:
      if (is_u64) return wrapped(ua / ub);
      return b == -1 ? wrapped(-ua) : wrapped(static_cast<std::uint64_t>(a / b));
    case BinaryOp::Mod:
      if (is_u64) return wrapped(ua % ub);
      return b == -1 ? 0 : a % b;
    case BinaryOp::FloorDiv:
      return is_u64 ? wrapped(ua / ub) : wrapped(static_cast<std::uint64_t>(floor_div(a, b)));
    case BinaryOp::FloorMod:
      return is_u64 ? wrapped(ua % ub) : floor_mod(a, b);
    case BinaryOp::Min:
      return (is_u64 ? ub < ua : b < a) ? b : a;
    case BinaryOp::Max:
      return (is_u64 ? ub > ua : b > a) ? b : a;
    case BinaryOp::And:
      return a & b;
    case BinaryOp::Or:
      return a | b;
    default:
      return is_u64 ? compare(op, ua, ub) : compare(op, a, b);
  }
}

// Rounded to the float type. Doubles are wide enough that rounding +, -, *, / of narrower floats a
// second time changes nothing.
inline double evaluate(BinaryOp op, Scalar scalar, double a, double b) {
  switch (op) {
    case BinaryOp::Add:
      return round_to(scalar, a + b);
    case BinaryOp::Sub:
      return round_to(scalar, a - b);
    case BinaryOp::Mul:
      return round_to(scalar, a * b);
    case BinaryOp::Div:
      return round_to(scalar, a / b);
    case BinaryOp::Mod:
      return round_to(scalar, std::fmod(a, b));
    case BinaryOp::FloorDiv:
      return round_to(scalar, std::floor(a / b));
    case BinaryOp::FloorMod:
      return round_to(scalar, a - std::floor(a / b) * b);
    case BinaryOp::Min:
      return b < a ? b : a;
    default:
      return b > a ? b : a;
  }
}

// Functions are worked out in double and rounded to the float type; `args` has as many as it takes.
double evaluate(Function function, Scalar scalar, const double* args);
// The functions that integers have: abs, shifts (of fewer places than the type has bits) and fma.
std::int64_t evaluate(Function function, Scalar scalar, const std::int64_t* args);

// Floats become integers by dropping the fraction; what does not fit becomes the nearest that does, and
// a NaN 0.
Number convert(Scalar from, Scalar to, Number value);
Number reinterpret(Scalar from, Scalar to, Number value);  // of equal size

}  // namespace hone::ir
