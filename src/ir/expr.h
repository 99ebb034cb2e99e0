// Scalar and vector expressions: immutable, shared, a closed set of kinds.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/match.h"
#include "ir/buffer.h"
#include "ir/type.h"

namespace hone::ir {

struct Node;

// A handle to an immutable expression; empty when default-constructed.
class Expr {
 public:
  Expr() = default;
  explicit Expr(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  Expr(int value);           // NOLINT(google-explicit-constructor): literals read as such
  Expr(std::int64_t value);  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return node_ != nullptr; }
  const Node& operator*() const { return *node_; }
  const Node* operator->() const { return node_.get(); }
  const Node* get() const { return node_.get(); }
  Type type() const;
  // The expression as a `Kind`, or null: `if (const auto* add = e.as<Binary>()) ...`.
  template <class Kind>
  const Kind* as() const;
  // Same node, not same meaning; see `equal` for structure.
  bool same(const Expr& other) const { return node_ == other.node_; }

 private:
  std::shared_ptr<const Node> node_;
};

// Arithmetic is that of the operands' type; both operands have the same type.
// Div is the true quotient of floats and truncates for integers; FloorDiv and FloorMod round towards
// minus infinity. Comparisons and And/Or give bool.
enum class BinaryOp : std::uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  FloorDiv,
  FloorMod,
  Min,
  Max,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
};

// Math functions of the argument's type. Round rounds halves to even. Reinterpret keeps the bits.
// Fma(a, b, c) is a*b + c rounded once.
enum class Function : std::uint8_t {
  Exp,
  Log,
  Erf,
  Tanh,
  Sqrt,
  Rsqrt,
  Pow,
  Sigmoid,
  Floor,
  Ceil,
  Round,
  Abs,
  ShiftLeft,
  ShiftRight,
  Reinterpret,
  Fma,
};

struct IntImm {
  std::int64_t value;
};  // any integer type or bool
struct FloatImm {
  double value;
};  // any float type
struct Variable {
  std::string name;
};  // identity is the node, not the name
struct Not {
  Expr a;
};
struct Binary {
  BinaryOp op;
  Expr a, b;
};
// Both branches are evaluated unless `lazy`: then only the chosen one is (TVM's if_then_else), which
// is what makes reading a padded border legal.
struct Select {
  Expr condition, then_value, else_value;
  bool lazy;
};
struct Call {
  Function function;
  std::vector<Expr> args;
};
struct Cast {
  Expr value;
};  // to the node's type
struct Load {
  Buffer buffer;
  std::vector<Expr> index;
};
// Vectors. A Load or Store whose last index is a Ramp touches `lanes` elements.
struct Ramp {
  Expr base, stride;
};  // base, base + stride, base + 2 stride, ...
struct Broadcast {
  Expr value;
};

struct Node {
  using Kind =
      std::variant<IntImm, FloatImm, Variable, Not, Binary, Select, Call, Cast, Load, Ramp, Broadcast>;
  Type type;
  Kind kind;
};

inline Type Expr::type() const { return node_->type; }
template <class Kind>
const Kind* Expr::as() const {
  return node_ ? std::get_if<Kind>(&node_->kind) : nullptr;
}

// `match(e, lambda...)`: one lambda a kind.
template <class... Cases>
decltype(auto) match(const Expr& e, Cases&&... cases) {
  return hone::match(e->kind, std::forward<Cases>(cases)...);
}

// Makers. They check types and fold nothing; `simplify` does. A literal is brought to its type:
// float_imm(0.1) holds the float32 nearest to 0.1.
Expr make(Type type, Node::Kind kind);
Expr int_imm(std::int64_t value, Type type = kIndex);
Expr float_imm(double value, Type type = kF32);
Expr bool_imm(bool value);
Expr constant(double value, Type type);  // an IntImm, FloatImm or a Broadcast of one, as the type asks
Expr variable(std::string name, Type type = kIndex);
Expr binary(BinaryOp op, Expr a, Expr b);
Expr select(Expr condition, Expr then_value, Expr else_value, bool lazy = false);
Expr call(Function function, std::vector<Expr> args);
Expr cast(Type type, Expr value);  // the value itself when it has that type
Expr load(Buffer buffer, std::vector<Expr> index);
Expr ramp(Expr base, Expr stride, int lanes);
Expr broadcast(Expr value, int lanes);

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr eq(Expr a, Expr b);
Expr logical_and(Expr a, Expr b);
Expr logical_or(Expr a, Expr b);
Expr floor_div(Expr a, Expr b);
Expr floor_mod(Expr a, Expr b);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr logical_not(Expr a);

std::optional<std::int64_t> as_int(const Expr& e);  // the value of an IntImm
bool is_int(const Expr& e, std::int64_t value);
std::string_view name_of(const Expr& variable);
std::string_view name_of(Function function);  // "exp", "rsqrt", ...

// Structure, with variables and buffers compared by identity.
bool equal(const Expr& a, const Expr& b);
std::size_t hash(const Expr& e);

void for_each_child(const Expr& e, const std::function<void(const Expr&)>& visitor);
// Calls `visitor` on the expression and everything below it, parents first.
void visit(const Expr& e, const std::function<void(const Expr&)>& visitor);
// Rebuilds children first, then maps each node; unchanged parts stay the same nodes.
Expr rewrite(const Expr& e, const std::function<Expr(const Expr&)>& map);
// Rebuilds an expression whose children change by `map`; the node itself is not mapped.
Expr map_children(const Expr& e, const std::function<Expr(const Expr&)>& map);

using Substitution = std::unordered_map<const Node*, Expr>;  // variable -> what replaces it
Expr substitute(const Expr& e, const Substitution& values);
bool uses(const Expr& e, const Expr& variable);

}  // namespace hone::ir
