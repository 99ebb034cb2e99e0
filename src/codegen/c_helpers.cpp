// The helper functions of C files: what C has no operator for, or not for vectors.
#include <fmt/format.h>

#include "base/error.h"
#include "codegen/c_unit.h"
#include "codegen/formula.h"

namespace hone::codegen {

using ir::BinaryOp;
using ir::Function;
using ir::Scalar;
using ir::Type;

namespace {

// A C function of the math library's, which compilers turn into an instruction.
std::string builtin(std::string_view name, Type type) {
  return fmt::format("__builtin_{}{}", name, type.scalar == Scalar::F64 ? "" : "f");
}

std::string_view name_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Mod:
      return "mod";
    case BinaryOp::FloorDiv:
      return "floordiv";
    case BinaryOp::FloorMod:
      return "floormod";
    case BinaryOp::Min:
      return "min";
    case BinaryOp::Max:
      return "max";
    default:
      fail("C has this operator");
  }
}

std::string scalar_binary(BinaryOp op, Type type) {
  if (op == BinaryOp::Min) return "{ return y < x ? y : x; }";
  if (op == BinaryOp::Max) return "{ return x < y ? y : x; }";
  if (ir::is_float(type.scalar)) {
    const std::string whole =
        fmt::format("{}(x / y)", builtin(op == BinaryOp::Mod ? "trunc" : "floor", type));
    if (op == BinaryOp::FloorDiv) return fmt::format("{{ return {}; }}", whole);
    return fmt::format("{{ return x - {} * y; }}", whole);
  }
  const bool quotient = op == BinaryOp::FloorDiv;
  if (op == BinaryOp::Mod || !ir::is_signed_int(type.scalar)) {
    return quotient ? "{ return x / y; }" : "{ return x % y; }";
  }
  return quotient ? "{ return x / y - (x % y != 0 && (x < 0) != (y < 0)); }"
                  : "{ return x % y + (x % y != 0 && (x < 0) != (y < 0) ? y : 0); }";
}

// A vector type `at` for any address of an element.
std::string unaligned_vector(Type type) {
  return fmt::format("  typedef {} at __attribute__((vector_size({}), aligned({}), may_alias));\n",
                     memory_type(type.scalar), type.lanes * ir::size_bytes(type.scalar),
                     ir::size_bytes(type.scalar));
}

// The operations of the formulas as lines of C, each with a name for its result.
struct CLanes {
  using Value = std::string;
  using Int = std::string;
  using Mask = std::string;

  CUnit& unit;
  Type type;
  std::string& lines;
  bool is_double = type.scalar == Scalar::F64;
  bool is_vector = type.lanes > 1;
  std::string floats_name = unit.type(type);
  std::string ints_name = unit.type(bits_type(type));
  mutable int n_lines = 0;

  std::string line(const std::string& result, const std::string& expression) const {
    std::string name = fmt::format("t{}", n_lines++);
    lines += fmt::format("  const {} {} = {};\n", result, name, expression);
    return name;
  }
  template <class... Args>
  Value value(fmt::format_string<Args...> text, Args&&... args) const {
    return line(floats_name, fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  Int integer(fmt::format_string<Args...> text, Args&&... args) const {
    return line(ints_name, fmt::format(text, std::forward<Args>(args)...));
  }

  Value num(double number) const {
    const std::string literal = float_literal(number, type.scalar);
    return is_vector ? fmt::format("{}({})", unit.splat(type), literal) : literal;
  }
  Value add(const Value& x, const Value& y) const { return value("{} + {}", x, y); }
  Value sub(const Value& x, const Value& y) const { return value("{} - {}", x, y); }
  Value mul(const Value& x, const Value& y) const { return value("{} * {}", x, y); }
  Value div(const Value& x, const Value& y) const { return value("{} / {}", x, y); }
  Value neg(const Value& x) const { return value("-{}", x); }
  Value fma(const Value& x, const Value& y, const Value& z) const {
    return value("{} * {} + {}", x, y, z);
  }
  Value sqrt(const Value& x) const { return value("{}({})", unit.call(Function::Sqrt, type), x); }
  Value floor(const Value& x) const { return value("{}({})", unit.call(Function::Floor, type), x); }
  Value abs(const Value& x) const {
    if (!is_vector) return value("{}({})", builtin("fabs", type), x);
    return value("({})(({}){} & {})", floats_name, ints_name, x, magnitude_bits());
  }
  Value with_sign_of(const Value& magnitude, const Value& sign) const {
    if (!is_vector) return value("{}({}, {})", builtin("copysign", type), magnitude, sign);
    return value("({0})((({1}){2} & {3}) | (({1}){4} & ~{3}))", floats_name, ints_name, magnitude,
                 magnitude_bits(), sign);
  }
  std::string magnitude_bits() const { return is_double ? "INT64_MAX" : "INT32_MAX"; }

  Mask less(const Value& x, const Value& y) const { return integer("{} < {}", x, y); }
  Mask equal(const Value& x, const Value& y) const { return integer("{} == {}", x, y); }
  Mask both(const Mask& x, const Mask& y) const { return integer("{} & {}", x, y); }
  Mask either(const Mask& x, const Mask& y) const { return integer("{} | {}", x, y); }
  Mask inverse(const Mask& x) const { return integer("{}{}", is_vector ? '~' : '!', x); }
  Value select(const Mask& mask, const Value& x, const Value& y) const {
    if (!is_vector) return value("{} ? {} : {}", mask, x, y);
    return value("({0})(({1} & ({2}){3}) | (~{1} & ({2}){4}))", floats_name, mask, ints_name, x, y);
  }

  Int imm(std::int64_t number) const { return fmt::format("{}", number); }
  Int bits(const Value& x) const {
    if (!is_vector) return integer("{}({})", unit.reinterpret(bits_type(type), type), x);
    return integer("({}){}", ints_name, x);
  }
  Value floats(const Int& x) const {
    if (!is_vector) return value("{}({})", unit.reinterpret(type, bits_type(type)), x);
    return value("({}){}", floats_name, x);
  }
  Int int_add(const Int& x, const Int& y) const { return integer("{} + {}", x, y); }
  Int int_sub(const Int& x, const Int& y) const { return integer("{} - {}", x, y); }
  Int shift_left(const Int& x, int places) const { return integer("{} << {}", x, places); }
  Int shift_right(const Int& x, int places) const { return integer("{} >> {}", x, places); }
  Value to_float(const Int& x) const { return value("{}({})", unit.cast(type, bits_type(type)), x); }
};

}  // namespace

std::string CUnit::define(const std::string& name, const std::string& result, const std::string& params,
                          const std::function<std::string()>& body) {
  if (defined_.insert(name).second) {
    const std::string text =
        body();  // asks for the helpers that it uses, which so come to stand before it
    helpers_ += fmt::format("static inline {} {}({}) {}\n", result, name, params, text);
  }
  return name;
}

// A vector made lane by lane; `lane` computes lane i.
std::string CUnit::lane_loop(Type type, const std::string& lane) {
  return fmt::format("{{\n  {} r;\n  for (int i = 0; i < {}; ++i) r[i] = {}({});\n  return r;\n}}",
                     this->type(type), type.lanes, type.scalar == Scalar::Bool ? "-" : "", lane);
}

std::string CUnit::load(Type type) {
  const std::string memory = memory_type(type.scalar);
  return define("load_" + short_name(type), this->type(type), fmt::format("const {}* p", memory), [&] {
    if (is_small_float(type)) {
      const Type stored{Scalar::U16, type.lanes};
      return fmt::format("{{ return {}({}({}(p))); }}", small_value(type),
                         cast(bits_type(type), stored), load(stored));
    }
    if (type.lanes == 1)
      return std::string(type.scalar == Scalar::Bool ? "{ return *p != 0; }" : "{ return *p; }");
    if (type.scalar == Scalar::Bool) return lane_loop(type, load(type.element()) + "(p + i)");
    return fmt::format("{{\n{}  return *(const at*)p;\n}}", unaligned_vector(type));
  });
}

std::string CUnit::store(Type type) {
  const std::string memory = memory_type(type.scalar);
  const std::string params = fmt::format("{}* p, {} x", memory, this->type(type));
  return define("store_" + short_name(type), "void", params, [&] {
    if (is_small_float(type)) {
      const Type stored{Scalar::U16, type.lanes};
      return fmt::format("{{ {}(p, {}({}(x))); }}", store(stored), cast(stored, bits_type(type)),
                         small_bits(type));
    }
    if (type.lanes == 1)
      return std::string(type.scalar == Scalar::Bool ? "{ *p = x != 0; }" : "{ *p = x; }");
    if (type.scalar == Scalar::Bool) {
      return fmt::format("{{\n  for (int i = 0; i < {}; ++i) {}(p + i, x[i]);\n}}", type.lanes,
                         store(type.element()));
    }
    return fmt::format("{{\n{}  *(at*)p = x;\n}}", unaligned_vector(type));
  });
}

std::string CUnit::splat(Type type) {
  const std::string params = this->type(type.element()) + " x";
  return define("splat_" + short_name(computed_type(type)), this->type(type), params, [&] {
    std::string lanes;
    for (int i = 0; i < type.lanes; ++i) {
      lanes += fmt::format("{}{}", i == 0 ? "" : ", ", type.scalar == Scalar::Bool ? "-(x != 0)" : "x");
    }
    return fmt::format("{{ return ({}){{{}}}; }}", this->type(type), lanes);
  });
}

std::string CUnit::select(Type type) {
  const std::string value = this->type(type), bits = this->type(bits_type(type));
  const std::string mask = this->type({Scalar::Bool, type.lanes});
  const std::string params = fmt::format("{} mask, {} x, {} y", mask, value, value);
  return define("select_" + short_name(computed_type(type)), value, params, [&] {
    return fmt::format(
        "{{\n  const {0} m = __builtin_convertvector(mask, {0});\n"
        "  return ({1})((m & ({0})x) | (~m & ({0})y));\n}}",
        bits, value);
  });
}

std::string CUnit::round(Type type) {
  const std::string value = this->type(type);
  return define("round_" + short_name(type), value, value + " x", [&] {
    return fmt::format("{{ return {}({}(x)); }}", small_value(type), small_bits(type));
  });
}

std::string CUnit::binary(BinaryOp op, Type type) {
  type = computed_type(type);
  const std::string name = fmt::format("{}_{}", name_of(op), short_name(type)),
                    value = this->type(type);
  return define(name, value, fmt::format("{} x, {} y", value, value), [&] {
    if (type.lanes == 1) return scalar_binary(op, type);
    if (op != BinaryOp::Min && op != BinaryOp::Max) {
      return lane_loop(type, binary(op, type.element()) + "(x[i], y[i])");
    }
    const std::string bits = this->type(bits_type(type));
    return fmt::format(
        "{{\n  const {0} m = ({0})({1});\n  return ({2})((m & ({0})y) | (~m & ({0})x));\n}}", bits,
        op == BinaryOp::Min ? "y < x" : "x < y", value);
  });
}

std::string CUnit::call(Function function, Type type) {
  type = computed_type(type);
  const std::string value = this->type(type);
  const bool has_two = function == Function::Pow;
  const std::string params = has_two ? fmt::format("{} x, {} y", value, value) : value + " x";
  const std::string name = fmt::format("{}_{}", ir::name_of(function), short_name(type));
  return define(name, value, params, [&] {
    const auto lanes = [&](const std::string& scalar) {
      return type.lanes == 1 ? fmt::format("{{ return {}(x); }}", scalar)
                             : lane_loop(type, call(function, type.element()) + "(x[i])");
    };
    switch (function) {
      case Function::Sqrt:
        return lanes(builtin("sqrt", type));
      case Function::Floor:
        return lanes(builtin("floor", type));
      case Function::Ceil:
        return lanes(builtin("ceil", type));
      case Function::Round:
        return lanes(builtin("roundeven", type));
      case Function::Abs:
        if (ir::is_float(type.scalar)) return lanes(builtin("fabs", type));
        return type.lanes == 1 ? "{ return x < 0 ? -x : x; }" : lanes("");
      default:
        return formula_body(function, type);
    }
  });
}

std::string CUnit::formula_body(Function function, Type type) {
  const Type wide{Scalar::F64, type.lanes};
  if (function == Function::Pow && type != wide) {  // see formula::pow
    return fmt::format("{{ return {0}({1}({2}(x), {2}(y))); }}", cast(type, wide), call(function, wide),
                       cast(wide, type));
  }
  std::string lines;
  const CLanes f{*this, type, lines};
  const auto body = [&](const std::string& result) {
    return fmt::format("{{\n{}  return {};\n}}", lines, result);
  };
  switch (function) {
    case Function::Exp:
      return body(formula::exp(f, "x"));
    case Function::Log:
      return body(formula::log(f, "x"));
    case Function::Erf:
      return body(formula::erf(f, "x"));
    case Function::Tanh:
      return body(formula::tanh(f, "x"));
    case Function::Sigmoid:
      return body(formula::sigmoid(f, "x"));
    case Function::Rsqrt:
      return body(formula::rsqrt(f, "x"));
    case Function::Pow:
      return body(formula::pow(f, "x", "y"));
    default:
      fail(fmt::format("{} has no meaning on {}", ir::name_of(function), ir::to_string(type)));
  }
}

std::string CUnit::cast(Type to, Type from) {
  from = computed_type(from);
  const Type target = computed_type(to);
  const std::string name = fmt::format("{}_from_{}", short_name(target), short_name(from));
  return define(name, type(target), type(from) + " x", [&] {
    const bool saturates = ir::is_float(from.scalar) && ir::is_int(target.scalar);
    if (target.lanes > 1 && saturates) {
      return lane_loop(target, cast(target.element(), from.element()) + "(x[i])");
    }
    if (target.lanes > 1) {
      const std::string value = target.scalar == Scalar::Bool ? "x != 0"
                                : from.scalar == Scalar::Bool ? "-x"
                                                              : "x";
      return fmt::format("{{ return __builtin_convertvector({}, {}); }}", value, type(target));
    }
    if (target.scalar == Scalar::Bool) return std::string("{ return x != 0; }");
    if (!saturates) return fmt::format("{{ return ({})x; }}", type(target));
    // What does not fit becomes the nearest that does, a NaN zero.
    const bool is_signed = ir::is_signed_int(target.scalar);
    const int bits = ir::bits(target.scalar) - (is_signed ? 1 : 0);
    const std::string c_type = type(target);
    const std::string most = fmt::format("{}INT{}_MAX", is_signed ? "" : "U", ir::bits(target.scalar));
    const std::string least = is_signed ? fmt::format("INT{}_MIN", ir::bits(target.scalar)) : "0";
    return fmt::format("{{ return x != x ? 0 : x >= 0x1p{}f ? {} : x <= {} ? {} : ({})x; }}", bits,
                       most, is_signed ? fmt::format("-0x1p{}f", bits) : "0", least, c_type);
  });
}

// Through memory, whose layout is what reinterpreting is about.
std::string CUnit::reinterpret(Type to, Type from) {
  const std::string name = fmt::format("{}_bits_of_{}", short_name(to), short_name(from));
  return define(name, type(to), type(from) + " x", [&] {
    if (to.lanes > 1) return lane_loop(to, reinterpret(to.element(), from.element()) + "(x[i])");
    const auto plain = [](Type t) { return memory_type(t.scalar); };
    if (plain(to) == type(to) && plain(from) == type(from)) {
      return fmt::format("{{\n  const union {{ {} from; {} to; }} u = {{x}};\n  return u.to;\n}}",
                         plain(from), plain(to));
    }
    return fmt::format(
        "{{\n  union {{ {} from; {} to; }} u;\n  {}(&u.from, x);\n  return {}(&u.to);\n}}", plain(from),
        plain(to), store(from), load(to));
  });
}

}  // namespace hone::codegen
