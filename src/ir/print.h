// Expressions and loop programs as text.
#pragma once
#include <functional>
#include <string>

#include "ir/program.h"

namespace hone::ir {

// TVM's notation: (a + b), floordiv(a, b), select(c, x, y), tir.exp(x), X[i, j], 0.5f.
// Numbers have the fewest digits (from six on) that give the same value back.
std::string print(const Expr& e);

// What variables and buffers are called in the text, for those who must tell equal names apart.
struct Naming {
  std::function<std::string(const Expr& variable)> variable;
  std::function<std::string(const Buffer& buffer)> buffer;
};
std::string print(const Expr& e, const Naming& naming);

// One statement a line, bodies indented by two spaces; `parse_program` reads it back.
//   program scale(X: float32[8, 4], Y: float32[8, 4])
//     parallel i (0, 8) auto_unroll 16 ahead X 4
//       Y[i, ramp(0, 1, 4)] = (X[i, ramp(0, 1, 4)]*broadcast(2f, 4))
// A loop shows (min, extent). Names that are in use at the same time are told apart by a number: i,
// i_1.
std::string print(const Program& program);

}  // namespace hone::ir
