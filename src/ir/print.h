// Expressions and loop programs as text.
#pragma once
#include <string>

#include "ir/program.h"

namespace hone::ir {

// TVM's notation: (a + b), floordiv(a, b), select(c, x, y), tir.exp(x), X[i, j], 0.5f.
std::string print(const Expr& e);
// One statement a line, bodies indented by two spaces; `parse_program` reads it back.
std::string print(const Program& program);

}  // namespace hone::ir
