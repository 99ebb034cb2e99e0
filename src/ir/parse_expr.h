// Reads expressions in the notation that `print` writes.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "ir/expr.h"
#include "ir/lexer.h"

namespace hone::ir {

// What names mean where the expression stands. A name that is asked for and unknown (empty answer) is
// an error at its place in the text.
struct ExprScope {
  std::function<std::optional<Expr>(std::string_view name)> variable;
  std::function<Buffer(std::string_view name)> buffer;
};

// Reads one expression and leaves the lexer after it. Operators may also stand without the brackets
// that `print` gives them and then bind as in C. An integer literal takes the type of its partner, and
// is an index without one; a literal of another type is written (int8)3.
// Throws UserError with line and column; nesting is limited so that no text exhausts the stack.
Expr parse_expr(Lexer& lexer, const ExprScope& scope);

// A literal integer, possibly negative.
std::int64_t parse_int(Lexer& lexer);

}  // namespace hone::ir
