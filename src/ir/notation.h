// What the printer and the parser of expressions must agree on.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "ir/expr.h"

namespace hone::ir {

struct OperatorNotation {
  BinaryOp op;
  std::string_view text;
  int precedence;  // higher binds tighter; 0 for those written as functions: max(a, b)
};
// In the order of the enum.
inline constexpr std::array<OperatorNotation, 17> kOperators = {{{BinaryOp::Add, "+", 4},
                                                                 {BinaryOp::Sub, "-", 4},
                                                                 {BinaryOp::Mul, "*", 5},
                                                                 {BinaryOp::Div, "/", 5},
                                                                 {BinaryOp::Mod, "%", 5},
                                                                 {BinaryOp::FloorDiv, "floordiv", 0},
                                                                 {BinaryOp::FloorMod, "floormod", 0},
                                                                 {BinaryOp::Min, "min", 0},
                                                                 {BinaryOp::Max, "max", 0},
                                                                 {BinaryOp::Eq, "==", 3},
                                                                 {BinaryOp::Ne, "!=", 3},
                                                                 {BinaryOp::Lt, "<", 3},
                                                                 {BinaryOp::Le, "<=", 3},
                                                                 {BinaryOp::Gt, ">", 3},
                                                                 {BinaryOp::Ge, ">=", 3},
                                                                 {BinaryOp::And, "&&", 2},
                                                                 {BinaryOp::Or, "||", 1}}};

inline constexpr std::string_view kFunctionPrefix = "tir.";

// TVM's text leaves out what type reinterpret gives; without one it is that of the same width on the
// other side of float and int.
constexpr Scalar reinterpreted(Scalar scalar) {
  switch (scalar) {
    case Scalar::I16:
      return Scalar::F16;
    case Scalar::I32:
      return Scalar::F32;
    case Scalar::I64:
      return Scalar::F64;
    case Scalar::F16:
      return Scalar::I16;
    case Scalar::F32:
      return Scalar::I32;
    case Scalar::F64:
      return Scalar::I64;
    default:
      return scalar;
  }
}

}  // namespace hone::ir
