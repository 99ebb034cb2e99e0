#include "ir/print.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "ir/notation.h"
#include "ir/number.h"

namespace hone::ir {
namespace {

std::string digits(double value, Scalar scalar) {
  std::string text;
  for (int precision = 6; precision <= 17; ++precision) {
    text = fmt::format("{:.{}g}", value, precision);
    if (round_to(scalar, std::strtod(text.c_str(), nullptr)) == value) break;
  }
  return text;
}

std::string float_literal(double value, Type type) {
  if (std::isfinite(value) && type.scalar == Scalar::F32) return digits(value, type.scalar) + 'f';
  if (std::isfinite(value) && type.scalar == Scalar::F16) return digits(value, type.scalar) + 'h';
  return fmt::format("({}){}", to_string(type), digits(value, type.scalar));
}

std::string int_literal(std::int64_t value, Type type) {
  if (type == kIndex) return fmt::format("{}", value);
  if (type.scalar == Scalar::U64) return fmt::format("(uint64){}", static_cast<std::uint64_t>(value));
  return fmt::format("({}){}", to_string(type), value);
}

struct Printer {
  const Naming& naming;
  std::string out;

  void put(const Expr& e) {
    match(
        e, [&](const IntImm& n) { out += int_literal(n.value, e.type()); },
        [&](const FloatImm& n) { out += float_literal(n.value, e.type()); },
        [&](const Variable&) { out += naming.variable(e); },
        [&](const Not& n) {
          out += '!';
          put(n.a);
        },
        [&](const Binary& n) { put(n); },
        [&](const Select& n) {
          out += n.lazy ? "tir.if_then_else(" : "select(";
          put(n.condition);
          out += ", ";
          put_operand(n.then_value, n.else_value);
          out += ", ";
          put_operand(n.else_value, n.then_value);
          out += ')';
        },
        [&](const Call& n) { put(n, e.type()); },
        [&](const Cast& n) {
          out += to_string(e.type());
          put_list('(', {n.value}, ')');
        },
        [&](const Load& n) {
          out += naming.buffer(n.buffer);
          put_list('[', n.index, ']');
        },
        [&](const Ramp& n) {
          out += "ramp(";
          put(n.base);
          out += ", ";
          put(n.stride);
          out += fmt::format(", {})", e.type().lanes);
        },
        [&](const Broadcast& n) {
          out += "broadcast(";
          put(n.value);
          out += fmt::format(", {})", e.type().lanes);
        });
  }

  // TVM's integers are 32 bits wide and bare; here indices are 64 bits wide and bare. A bare literal
  // takes the type of its partner, so both read the same.
  void put_operand(const Expr& e, const Expr& partner) {
    const auto* literal = e.as<IntImm>();
    if (literal && e.type() == Type{Scalar::I32, 1} && !partner.as<IntImm>()) {
      out += fmt::format("{}", literal->value);
    } else {
      put(e);
    }
  }

  void put(const Binary& n) {
    const OperatorNotation& notation = kOperators[static_cast<std::size_t>(n.op)];
    const bool is_tight = n.op == BinaryOp::Mul || n.op == BinaryOp::Div;
    if (notation.precedence == 0) out += notation.text;
    out += '(';
    put_operand(n.a, n.b);
    if (notation.precedence == 0) {
      out += ", ";
    } else {
      out += is_tight ? std::string(notation.text) : fmt::format(" {} ", notation.text);
    }
    put_operand(n.b, n.a);
    out += ')';
  }

  void put(const Call& n, Type type) {
    out += fmt::format("{}{}(", kFunctionPrefix, name_of(n.function));
    for (std::size_t i = 0; i < n.args.size(); ++i) {
      if (i > 0) out += ", ";
      put_operand(n.args[i], n.args[i == 0 ? n.args.size() - 1 : 0]);
    }
    if (n.function == Function::Reinterpret &&
        type.scalar != reinterpreted(n.args.front().type().scalar)) {
      out += fmt::format(", {}", to_string(type));
    }
    out += ')';
  }

  void put_list(char open, const std::vector<Expr>& items, char close) {
    out += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ", ";
      put(items[i]);
    }
    out += close;
  }
};

}  // namespace

std::string print(const Expr& e, const Naming& naming) {
  Printer printer{naming, {}};
  printer.put(e);
  return std::move(printer.out);
}

std::string print(const Expr& e) {
  static const Naming kOwnNames{[](const Expr& variable) { return std::string(name_of(variable)); },
                                [](const Buffer& buffer) { return buffer->name; }};
  return print(e, kOwnNames);
}

}  // namespace hone::ir
