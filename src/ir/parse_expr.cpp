#include "ir/parse_expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/notation.h"
#include "ir/number.h"

namespace hone::ir {
namespace {

constexpr int kMaxDepth = 400;  // Winograd's constant matrices nest to 64
constexpr std::int64_t kMaxLanes = 4096;

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const OperatorNotation* operator_named(std::string_view text, bool as_function) {
  const auto* found = std::ranges::find_if(kOperators, [&](const OperatorNotation& o) {
    return o.text == text && (o.precedence == 0) == as_function;
  });
  return found == kOperators.end() ? nullptr : found;
}

std::optional<Function> function_named(std::string_view text) {
  if (!text.starts_with(kFunctionPrefix)) return std::nullopt;
  text.remove_prefix(kFunctionPrefix.size());
  for (int i = 0; i <= static_cast<int>(Function::Fma); ++i) {
    if (name_of(static_cast<Function>(i)) == text) return static_cast<Function>(i);
  }
  return std::nullopt;
}

std::size_t arity(Function function) {
  switch (function) {
    case Function::Pow:
    case Function::ShiftLeft:
    case Function::ShiftRight:
      return 2;
    case Function::Fma:
      return 3;
    default:
      return 1;
  }
}

// Integer literals whose type is open get the type of the others.
void give_literals_type(std::vector<Expr>& items) {
  const auto is_open = [](const Expr& e) { return e.as<IntImm>() && e.type() == kIndex; };
  const auto typed = std::ranges::find_if_not(items, is_open);
  if (typed == items.end() || !is_int(typed->type().scalar) || typed->type().lanes != 1) return;
  const Type type = typed->type();
  for (Expr& item : items) {
    if (is_open(item)) item = int_imm(*as_int(item), type);
  }
}

struct ExprParser {
  Lexer& lexer;
  const ExprScope& scope;
  int depth = 0;
  // Of the expression read last, without the brackets around it. It is limited besides the depth
  // because a long a + b + c + ... is as tall as it is long, and printing it gives it brackets.
  int height = 0;

  Expr expression(int min_precedence = 1) { return operators_after(primary(), min_precedence); }

  Expr operators_after(Expr left, int min_precedence) {
    int tallest = height;
    while (true) {
      const Token where = lexer.peek();
      const OperatorNotation* notation =
          where.kind == Token::Kind::Symbol ? operator_named(where.text, false) : nullptr;
      height = tallest;
      if (!notation || notation->precedence < min_precedence) return left;
      lexer.next();
      Expr right = expression(notation->precedence + 1);
      grow_over(std::max(tallest, height));
      tallest = height;
      left = combine(where, notation->op, std::move(left), std::move(right));
    }
  }

  Expr primary() {
    const Token where = lexer.peek();
    if (depth >= kMaxDepth) lexer.fail("expression is nested too deeply");
    ++depth;
    height = 1;
    Expr result = primary_at(where);
    --depth;
    return result;
  }

  void grow_over(int tallest_part) {
    height = tallest_part + 1;
    if (height >= kMaxDepth) lexer.fail("expression is nested too deeply");
  }

  Expr primary_at(const Token& where) {
    if (where.kind == Token::Kind::Number || (where.text == "-" && where.kind == Token::Kind::Symbol)) {
      return literal(std::nullopt);
    }
    if (lexer.accept("!")) {
      Expr a = primary();
      grow_over(height);
      if (a.type().scalar != Scalar::Bool) Lexer::fail(where, "`!` needs a condition");
      return logical_not(std::move(a));
    }
    if (lexer.accept("(")) return bracketed();
    const std::string_view name = lexer.expect_name("an expression");
    if (lexer.accept("(")) return call_named(where);
    if (lexer.accept("[")) {
      Buffer buffer = scope.buffer(name);
      if (!buffer) Lexer::fail(where, "no such buffer");
      return load_of(where, std::move(buffer), list("]"));
    }
    std::optional<Expr> variable = scope.variable(name);
    if (!variable) Lexer::fail(where, "no such variable");
    return *variable;
  }

  // After "(": a literal with its type, (int8)3, or an expression, which may begin with a cast.
  Expr bracketed() {
    const Token where = lexer.peek();
    const std::optional<Type> type =
        where.kind == Token::Kind::Name ? parse_type(where.text) : std::nullopt;
    Expr inner;
    if (type) {
      lexer.next();
      if (type->lanes == 1 && lexer.accept(")")) return literal(type);
      lexer.expect("(");
      inner = operators_after(cast_of(where, *type), 1);
    } else {
      inner = expression();
    }
    lexer.expect(")");
    return inner;
  }

  Expr literal(std::optional<Type> type) {
    const Token where = lexer.peek();
    std::string text(lexer.accept("-") ? "-" : "");
    text += lexer.peek().text;
    if (!type) type = strip_suffix(text);
    if (is_float(type->scalar)) {
      const auto value = number<double>(text);
      if (!value) Lexer::fail(where, "expected a number");
      lexer.next();
      return float_imm(*value, *type);
    }
    const auto value = type->scalar == Scalar::U64 ? unsigned_bits(text) : number<std::int64_t>(text);
    if (!value || wrap_to(type->scalar, *value) != *value) {
      Lexer::fail(where, fmt::format("expected a number of type {}", to_string(*type)));
    }
    lexer.next();
    return int_imm(*value, *type);
  }

  static std::optional<std::int64_t> unsigned_bits(std::string_view text) {
    const auto value = number<std::uint64_t>(text);
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  }

  // 1.5f is a float32, 1.5h a float16, 1.5 a float64 and 15 an index.
  static Type strip_suffix(std::string& text) {
    if (text.ends_with('f') || text.ends_with('h')) {
      const Scalar scalar = text.ends_with('f') ? Scalar::F32 : Scalar::F16;
      text.pop_back();
      return {scalar, 1};
    }
    return text.find_first_of(".e") == std::string::npos ? kIndex : Type{Scalar::F64, 1};
  }

  // After the opening bracket.
  std::vector<Expr> list(std::string_view close) {
    std::vector<Expr> items;
    if (lexer.accept(close)) return items;
    int tallest = 0;
    do {
      items.push_back(expression());
      tallest = std::max(tallest, height);
    } while (lexer.accept(","));
    lexer.expect(close);
    grow_over(tallest);
    return items;
  }

  // After "name(".
  Expr call_named(const Token& where) {
    if (const OperatorNotation* notation = operator_named(where.text, true)) {
      std::vector<Expr> args = list(")");
      expect_count(where, args, 2);
      return combine(where, notation->op, std::move(args[0]), std::move(args[1]));
    }
    if (where.text == "select" || where.text == "tir.if_then_else") {
      return select_of(where, list(")"), where.text != "select");
    }
    if (where.text == "ramp" || where.text == "broadcast") return vector_of(where);
    if (const auto type = parse_type(where.text)) return cast_of(where, *type);
    const auto function = function_named(where.text);
    if (!function) Lexer::fail(where, "no such function");
    if (*function == Function::Reinterpret) return reinterpret_of(where);
    std::vector<Expr> args = list(")");
    expect_count(where, args, arity(*function));
    give_literals_type(args);
    for (const Expr& arg : args) expect_type(where, arg, args.front().type());
    return call(*function, std::move(args));
  }

  Expr combine(const Token& where, BinaryOp op, Expr a, Expr b) {
    std::vector<Expr> sides{std::move(a), std::move(b)};
    give_literals_type(sides);
    expect_type(where, sides[1], sides[0].type());
    if ((op == BinaryOp::And || op == BinaryOp::Or) && sides[0].type().scalar != Scalar::Bool) {
      Lexer::fail(where, "and, or need conditions");
    }
    return binary(op, std::move(sides[0]), std::move(sides[1]));
  }

  Expr select_of(const Token& where, std::vector<Expr> args, bool lazy) {
    expect_count(where, args, 3);
    std::vector<Expr> values(args.begin() + 1, args.end());
    give_literals_type(values);
    expect_type(where, values[1], values[0].type());
    const Type condition = args[0].type();
    if (condition.scalar != Scalar::Bool ||
        (condition.lanes != 1 && condition.lanes != values[0].type().lanes)) {
      Lexer::fail(where, "a selection needs a condition first");
    }
    return select(std::move(args[0]), std::move(values[0]), std::move(values[1]), lazy);
  }

  // After "ramp(" or "broadcast(": the number of lanes comes last.
  Expr vector_of(const Token& where) {
    std::vector<Expr> parts = list(")");
    expect_count(where, parts, where.text == "ramp" ? 3 : 2);
    const std::optional<std::int64_t> lanes = as_int(parts.back());
    if (!lanes || *lanes < 2 || *lanes > kMaxLanes)
      Lexer::fail(where, "a vector has 2 or more lanes, up to 4096");
    parts.pop_back();
    for (const Expr& part : parts) expect_type(where, part, parts[0].type().element());
    const int count = static_cast<int>(*lanes);
    return where.text == "ramp" ? ramp(parts[0], parts[1], count) : broadcast(parts[0], count);
  }

  Expr cast_of(const Token& where, Type type) {
    std::vector<Expr> args = list(")");
    expect_count(where, args, 1);
    if (args[0].type().lanes != type.lanes) Lexer::fail(where, "a cast keeps the number of lanes");
    return cast(type, std::move(args[0]));
  }

  // After "tir.reinterpret(": the value and, where it is not the obvious one, the type.
  Expr reinterpret_of(const Token& where) {
    Expr value = expression();
    grow_over(height);
    Type type = value.type();
    type.scalar = reinterpreted(type.scalar);
    if (lexer.accept(",")) {
      const auto given = parse_type(lexer.expect_name("a type"));
      if (!given) Lexer::fail(where, "expected a type");
      type = *given;
    }
    lexer.expect(")");
    if (bits(type.scalar) != bits(value.type().scalar) || type.lanes != value.type().lanes) {
      Lexer::fail(where, "reinterpreting keeps the number of bits");
    }
    return make(type, Call{Function::Reinterpret, {std::move(value)}});
  }

  Expr load_of(const Token& where, Buffer buffer, std::vector<Expr> index) {
    for (std::size_t i = 0; i < index.size(); ++i) {
      const Type expected = i + 1 == index.size() ? kIndex.with_lanes(index[i].type().lanes) : kIndex;
      expect_type(where, index[i], expected);
    }
    return load(std::move(buffer), std::move(index));
  }

  static void expect_type(const Token& where, const Expr& e, Type type) {
    if (e.type() == type) return;
    Lexer::fail(where, fmt::format("types differ: {} and {}", to_string(type), to_string(e.type())));
  }

  static void expect_count(const Token& where, const std::vector<Expr>& args, std::size_t count) {
    if (args.size() != count)
      Lexer::fail(where, fmt::format("expected {} arguments, not {}", count, args.size()));
  }
};

}  // namespace

Expr parse_expr(Lexer& lexer, const ExprScope& scope) { return ExprParser{lexer, scope}.expression(); }

std::int64_t parse_int(Lexer& lexer) {
  const Token where = lexer.peek();
  std::string text(lexer.accept("-") ? "-" : "");
  text += lexer.peek().text;
  const auto value = number<std::int64_t>(text);
  if (!value) Lexer::fail(where, "expected a whole number");
  lexer.next();
  return *value;
}

}  // namespace hone::ir
