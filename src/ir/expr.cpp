#include "ir/expr.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "base/error.h"
#include "ir/number.h"

namespace hone::ir {
namespace {

bool is_compare(BinaryOp op) { return op >= BinaryOp::Eq && op <= BinaryOp::Ge; }
bool is_logic(BinaryOp op) { return op >= BinaryOp::And; }

void check_same_type(const Expr& a, const Expr& b) {
  if (a.type() != b.type()) {
    fail(fmt::format("operands differ in type: {} and {}", to_string(a.type()), to_string(b.type())));
  }
}

std::size_t mix(std::size_t seed, std::size_t value) {
  return (std::rotl(seed, 5) ^ value) * 0x9E3779B97F4A7C15ULL;
}

}  // namespace

Expr::Expr(int value) : Expr(int_imm(value)) {}
Expr::Expr(std::int64_t value) : Expr(int_imm(value)) {}

Expr make(Type type, Node::Kind kind) {
  return Expr(std::make_shared<const Node>(Node{type, std::move(kind)}));
}

Expr int_imm(std::int64_t value, Type type) {
  check(!is_float(type.scalar) && type.lanes == 1, "an integer literal has an integer type");
  return make(type, IntImm{wrap_to(type.scalar, value)});
}

Expr float_imm(double value, Type type) {
  check(is_float(type.scalar) && type.lanes == 1, "a float literal has a float type");
  return make(type, FloatImm{round_to(type.scalar, value)});
}

Expr bool_imm(bool value) { return make(kBool, IntImm{value ? 1 : 0}); }

Expr constant(double value, Type type) {
  const Type element = type.element();
  Expr scalar = is_float(type.scalar) ? float_imm(value, element)
                                      : int_imm(static_cast<std::int64_t>(value), element);
  return type.lanes == 1 ? scalar : broadcast(std::move(scalar), type.lanes);
}

Expr variable(std::string name, Type type) { return make(type, Variable{std::move(name)}); }

Expr binary(BinaryOp op, Expr a, Expr b) {
  check_same_type(a, b);
  if (is_logic(op)) check(a.type().scalar == Scalar::Bool, "and/or take bools");
  const Type type = is_compare(op) || is_logic(op) ? Type{Scalar::Bool, a.type().lanes} : a.type();
  return make(type, Binary{op, std::move(a), std::move(b)});
}

Expr select(Expr condition, Expr then_value, Expr else_value, bool lazy) {
  check(condition.type().scalar == Scalar::Bool, "a condition is a bool");
  check_same_type(then_value, else_value);
  const Type type = then_value.type();
  check(condition.type().lanes == 1 || condition.type().lanes == type.lanes,
        "a vector condition has as many lanes as the values");
  return make(type, Select{std::move(condition), std::move(then_value), std::move(else_value), lazy});
}

Expr call(Function function, std::vector<Expr> args) {
  check(!args.empty() && function != Function::Reinterpret,
        "a call has arguments; reinterpret is made with its type");
  for (const Expr& arg : args) check_same_type(arg, args.front());
  const Type type = args.front().type();
  return make(type, Call{function, std::move(args)});
}

Expr cast(Type type, Expr value) {
  if (value.type() == type) return value;
  check(value.type().lanes == type.lanes, "a cast keeps the number of lanes");
  return make(type, Cast{std::move(value)});
}

Expr load(Buffer buffer, std::vector<Expr> index) {
  check(buffer != nullptr, "a load has a buffer");
  Type type = buffer->type;
  if (!index.empty() && index.back().type().lanes > 1) type.lanes = index.back().type().lanes;
  return make(type, Load{std::move(buffer), std::move(index)});
}

Expr ramp(Expr base, Expr stride, int lanes) {
  check_same_type(base, stride);
  check(lanes > 1 && base.type().lanes == 1, "a ramp makes a vector of scalars");
  const Type type = base.type().with_lanes(lanes);
  return make(type, Ramp{std::move(base), std::move(stride)});
}

Expr broadcast(Expr value, int lanes) {
  check(lanes > 1 && value.type().lanes == 1, "a broadcast makes a vector of one scalar");
  const Type type = value.type().with_lanes(lanes);
  return make(type, Broadcast{std::move(value)});
}

Expr operator+(Expr a, Expr b) { return binary(BinaryOp::Add, std::move(a), std::move(b)); }
Expr operator-(Expr a, Expr b) { return binary(BinaryOp::Sub, std::move(a), std::move(b)); }
Expr operator*(Expr a, Expr b) { return binary(BinaryOp::Mul, std::move(a), std::move(b)); }
Expr operator/(Expr a, Expr b) { return binary(BinaryOp::Div, std::move(a), std::move(b)); }
Expr operator<(Expr a, Expr b) { return binary(BinaryOp::Lt, std::move(a), std::move(b)); }
Expr operator<=(Expr a, Expr b) { return binary(BinaryOp::Le, std::move(a), std::move(b)); }
Expr operator>(Expr a, Expr b) { return binary(BinaryOp::Gt, std::move(a), std::move(b)); }
Expr operator>=(Expr a, Expr b) { return binary(BinaryOp::Ge, std::move(a), std::move(b)); }
Expr eq(Expr a, Expr b) { return binary(BinaryOp::Eq, std::move(a), std::move(b)); }
Expr logical_and(Expr a, Expr b) { return binary(BinaryOp::And, std::move(a), std::move(b)); }
Expr logical_or(Expr a, Expr b) { return binary(BinaryOp::Or, std::move(a), std::move(b)); }
Expr floor_div(Expr a, Expr b) { return binary(BinaryOp::FloorDiv, std::move(a), std::move(b)); }
Expr floor_mod(Expr a, Expr b) { return binary(BinaryOp::FloorMod, std::move(a), std::move(b)); }
Expr min(Expr a, Expr b) { return binary(BinaryOp::Min, std::move(a), std::move(b)); }
Expr max(Expr a, Expr b) { return binary(BinaryOp::Max, std::move(a), std::move(b)); }

Expr logical_not(Expr a) {
  check(a.type().scalar == Scalar::Bool, "not takes a bool");
  const Type type = a.type();
  return make(type, Not{std::move(a)});
}

std::optional<std::int64_t> as_int(const Expr& e) {
  const auto* imm = e.as<IntImm>();
  return imm ? std::optional(imm->value) : std::nullopt;
}

bool is_int(const Expr& e, std::int64_t value) {
  const auto* imm = e.as<IntImm>();
  return imm && imm->value == value;
}

std::string_view name_of(const Expr& variable) {
  const auto* var = variable.as<Variable>();
  check(var != nullptr, "only a variable has a name");
  return var->name;
}

std::string_view name_of(Function function) {
  constexpr std::array<std::string_view, 16> kNames = {
      "exp",   "log",  "erf",   "tanh", "sqrt",       "rsqrt",       "pow",         "sigmoid",
      "floor", "ceil", "round", "fabs", "shift_left", "shift_right", "reinterpret", "fma"};
  return kNames[static_cast<std::size_t>(function)];
}

bool equal(const Expr& a, const Expr& b) {
  if (a.get() == b.get()) return true;
  if (!a || !b || a.type() != b.type() || a->kind.index() != b->kind.index()) return false;
  const auto all_equal = [](const std::vector<Expr>& x, const std::vector<Expr>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!equal(x[i], y[i])) return false;
    }
    return true;
  };
  return match(
      a, [&](const IntImm& n) { return n.value == b.as<IntImm>()->value; },
      [&](const FloatImm& n) {
        return std::bit_cast<std::uint64_t>(n.value) ==
               std::bit_cast<std::uint64_t>(b.as<FloatImm>()->value);
      },
      [&](const Variable&) { return false; }, [&](const Not& n) { return equal(n.a, b.as<Not>()->a); },
      [&](const Binary& n) {
        const auto* m = b.as<Binary>();
        return n.op == m->op && equal(n.a, m->a) && equal(n.b, m->b);
      },
      [&](const Select& n) {
        const auto* m = b.as<Select>();
        return n.lazy == m->lazy && equal(n.condition, m->condition) &&
               equal(n.then_value, m->then_value) && equal(n.else_value, m->else_value);
      },
      [&](const Call& n) {
        const auto* m = b.as<Call>();
        return n.function == m->function && all_equal(n.args, m->args);
      },
      [&](const Cast& n) { return equal(n.value, b.as<Cast>()->value); },
      [&](const Load& n) {
        const auto* m = b.as<Load>();
        return n.buffer == m->buffer && all_equal(n.index, m->index);
      },
      [&](const Ramp& n) {
        return equal(n.base, b.as<Ramp>()->base) && equal(n.stride, b.as<Ramp>()->stride);
      },
      [&](const Broadcast& n) { return equal(n.value, b.as<Broadcast>()->value); });
}

std::size_t hash(const Expr& e) {
  if (!e) return 0;
  const std::size_t seed = mix(e->kind.index() + 1, static_cast<std::size_t>(e.type().scalar) * 131 +
                                                        static_cast<std::size_t>(e.type().lanes));
  const auto all = [](std::size_t start, const std::vector<Expr>& list) {
    for (const Expr& item : list) start = mix(start, hash(item));
    return start;
  };
  return match(
      e, [&](const IntImm& n) { return mix(seed, static_cast<std::size_t>(n.value)); },
      [&](const FloatImm& n) { return mix(seed, std::bit_cast<std::uint64_t>(n.value)); },
      [&](const Variable&) { return mix(seed, std::bit_cast<std::size_t>(e.get())); },
      [&](const Not& n) { return mix(seed, hash(n.a)); },
      [&](const Binary& n) {
        return mix(mix(mix(seed, static_cast<std::size_t>(n.op)), hash(n.a)), hash(n.b));
      },
      [&](const Select& n) {
        return mix(mix(mix(seed, hash(n.condition)), hash(n.then_value)), hash(n.else_value));
      },
      [&](const Call& n) { return all(mix(seed, static_cast<std::size_t>(n.function)), n.args); },
      [&](const Cast& n) { return mix(seed, hash(n.value)); },
      [&](const Load& n) {
        return all(mix(seed, std::bit_cast<std::size_t>(n.buffer.get())), n.index);
      },
      [&](const Ramp& n) { return mix(mix(seed, hash(n.base)), hash(n.stride)); },
      [&](const Broadcast& n) { return mix(seed, hash(n.value)); });
}

void visit(const Expr& e, const std::function<void(const Expr&)>& visitor) {
  if (!e) return;
  visitor(e);
  for_each_child(e, [&](const Expr& child) { visit(child, visitor); });
}

void for_each_child(const Expr& e, const std::function<void(const Expr&)>& each) {
  match(
      e, [](const IntImm&) {}, [](const FloatImm&) {}, [](const Variable&) {},
      [&](const Not& n) { each(n.a); }, [&](const Binary& n) { each(n.a), each(n.b); },
      [&](const Select& n) { each(n.condition), each(n.then_value), each(n.else_value); },
      [&](const Call& n) {
        for (const Expr& arg : n.args) each(arg);
      },
      [&](const Cast& n) { each(n.value); },
      [&](const Load& n) {
        for (const Expr& i : n.index) each(i);
      },
      [&](const Ramp& n) { each(n.base), each(n.stride); }, [&](const Broadcast& n) { each(n.value); });
}

Expr map_children(const Expr& e, const std::function<Expr(const Expr&)>& map) {
  bool changed = false;
  const auto go = [&](const Expr& child) {
    Expr mapped = map(child);
    changed |= !mapped.same(child);
    return mapped;
  };
  const auto go_all = [&](const std::vector<Expr>& list) {
    std::vector<Expr> out;
    out.reserve(list.size());
    for (const Expr& item : list) out.push_back(go(item));
    return out;
  };
  // Loads and selects may change their lanes with their children, so they are made anew.
  const auto remade = [&](Node::Kind kind) { return changed ? make(e.type(), std::move(kind)) : e; };
  return match(
      e, [&](const IntImm&) { return e; }, [&](const FloatImm&) { return e; },
      [&](const Variable&) { return e; },
      [&](const Not& n) {
        Expr a = go(n.a);
        return changed ? logical_not(a) : e;
      },
      [&](const Binary& n) {
        Expr a = go(n.a), b = go(n.b);
        return changed ? binary(n.op, a, b) : e;
      },
      [&](const Select& n) {
        Expr c = go(n.condition), t = go(n.then_value), f = go(n.else_value);
        return changed ? select(c, t, f, n.lazy) : e;
      },
      [&](const Call& n) {
        std::vector<Expr> args = go_all(n.args);
        if (!changed) return e;
        const Type type = e.type().with_lanes(args.front().type().lanes);
        return make(type, Call{n.function, std::move(args)});
      },
      [&](const Cast& n) {
        Expr value = go(n.value);
        return changed ? cast(e.type().with_lanes(value.type().lanes), value) : e;
      },
      [&](const Load& n) {
        std::vector<Expr> index = go_all(n.index);
        return changed ? load(n.buffer, std::move(index)) : e;
      },
      [&](const Ramp& n) {
        Expr base = go(n.base), stride = go(n.stride);
        return remade(Ramp{base, stride});
      },
      [&](const Broadcast& n) {
        Expr value = go(n.value);
        return remade(Broadcast{value});
      });
}

Expr rewrite(const Expr& e, const std::function<Expr(const Expr&)>& map) {
  return map(map_children(e, [&](const Expr& child) { return rewrite(child, map); }));
}

Expr substitute(const Expr& e, const Substitution& values) {
  if (e.as<Variable>()) {
    const auto found = values.find(e.get());
    return found == values.end() ? e : found->second;
  }
  return map_children(e, [&](const Expr& child) { return substitute(child, values); });
}

bool uses(const Expr& e, const Expr& variable) {
  bool found = false;
  visit(e, [&](const Expr& part) { found |= part.same(variable); });
  return found;
}

}  // namespace hone::ir
