// Random integer expressions for property tests, and their value worked out the plain way.
#pragma once
#include <random>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "ir/arithmetic.h"
#include "ir/simplify.h"

namespace hone::ir {

using Environment = std::unordered_map<const Node*, std::int64_t>;

inline std::int64_t evaluate(const Expr& e, const Environment& at, int lane = 0) {
  const auto get = [&](const Expr& child) { return evaluate(child, at, lane); };
  return match(
      e, [&](const IntImm& n) { return n.value; }, [&](const Variable&) { return at.at(e.get()); },
      [&](const Not& n) { return std::int64_t{get(n.a) == 0}; },
      [&](const Binary& n) { return evaluate(n.op, n.a.type().scalar, get(n.a), get(n.b)); },
      [&](const Select& n) { return get(get(n.condition) != 0 ? n.then_value : n.else_value); },
      [&](const Cast& n) { return wrap_to(e.type().scalar, get(n.value)); },
      [&](const Ramp& n) { return get(n.base) + get(n.stride) * lane; },
      [&](const Broadcast& n) { return get(n.value); },
      [&](const auto&) -> std::int64_t { throw std::logic_error("not generated"); });
}

class RandomExpr {
 public:
  explicit RandomExpr(unsigned seed) : random_(seed) {
    for (const char* name : {"a", "b", "c", "d"}) {
      const Expr v = variable(name);
      const std::int64_t min = below(3) == 0 ? below(30) - 15 : 0;
      ranges_[v.get()] = {min, min + below(below(2) == 0 ? 5 : 40)};
      variables_.push_back(v);
    }
  }

  const Ranges& ranges() const { return ranges_; }
  const std::vector<Expr>& variables() const { return variables_; }
  Environment point() {
    Environment at;
    for (const Expr& v : variables_) {
      const Interval range = ranges_.at(v.get());
      at[v.get()] = range.min + below(range.max - range.min + 1);
    }
    return at;
  }

  Expr index(int depth) {
    if (depth == 0)
      return below(4) == 0 ? Expr(below(20) - 6) : variables_[static_cast<std::size_t>(below(4))];
    switch (below(12)) {
      case 0:
        return index(depth - 1) - index(depth - 1);
      case 1:
        return index(depth - 1) * Expr(factor());
      case 2:
        return index(depth - 1) * index(depth / 2);
      case 3:
      case 4:
        return floor_div(index(depth - 1), divisor());
      case 5:
      case 6:
        return floor_mod(index(depth - 1), divisor());
      case 7:
        return binary(below(2) == 0 ? BinaryOp::Div : BinaryOp::Mod, index(depth - 1), divisor());
      case 8:
        return below(2) == 0 ? min(index(depth - 1), index(depth - 1))
                             : max(index(depth - 1), index(depth - 1));
      case 9:
        return select(condition(depth - 1), index(depth - 1), index(depth - 1));
      case 10:
        return cast(kIndex, narrow(narrow_type(), depth - 1));
      default:
        return index(depth - 1) * Expr(factor()) + index(depth - 1);
    }
  }

  Expr condition(int depth) {
    if (depth > 0) {
      switch (below(6)) {
        case 0:
          return logical_and(condition(depth - 1), condition(depth - 1));
        case 1:
          return logical_or(condition(depth - 1), condition(depth - 1));
        case 2:
          return logical_not(condition(depth - 1));
        case 3: {
          const Type type = narrow_type();
          return binary(comparison(), narrow(type, depth - 1), narrow(type, depth - 1));
        }
        default:
          break;
      }
    }
    return binary(comparison(), index(depth), index(depth / 2));
  }

  Expr vector(int depth) {
    if (depth == 0) return below(2) == 0 ? broadcast(index(1), 4) : ramp(index(1), factor(), 4);
    switch (below(7)) {
      case 0:
        return vector(depth - 1) + vector(depth - 1);
      case 1:
        return vector(depth - 1) - vector(depth - 1);
      case 2:
        return vector(depth - 1) * broadcast(factor(), 4);
      case 3:
        return floor_div(vector(depth - 1), broadcast(divisor(), 4));
      case 4:
        return floor_mod(vector(depth - 1), broadcast(divisor(), 4));
      case 5:
        return select(binary(comparison(), vector(depth - 1), vector(depth - 1)), vector(depth - 1),
                      vector(0));
      default:
        return select(condition(depth - 1), vector(depth - 1), vector(depth - 1));
    }
  }

 private:
  std::int64_t below(std::int64_t n) {
    return std::uniform_int_distribution<std::int64_t>(0, n - 1)(random_);
  }
  std::int64_t factor() {
    constexpr std::int64_t kFactors[] = {-8, -4, -3, -1, 0, 1, 2, 3, 4, 4, 6, 8, 12, 16};
    return kFactors[below(std::size(kFactors))];
  }
  Expr divisor() {
    constexpr std::int64_t kDivisors[] = {1, 2, 3, 4, 4, 6, 8, 8, 12, 16, 48, -1, -3};
    return kDivisors[below(std::size(kDivisors))];
  }
  BinaryOp comparison() {
    return static_cast<BinaryOp>(static_cast<std::int64_t>(BinaryOp::Eq) + below(6));
  }
  Type narrow_type() { return {below(2) == 0 ? Scalar::I8 : Scalar::U8, 1}; }
  Expr narrow(Type type, int depth) {
    Expr e = cast(type, index(depth / 2));
    if (below(2) == 0) e = binary(static_cast<BinaryOp>(below(3)), e, int_imm(below(100), type));
    return e;
  }

  std::mt19937 random_;
  std::vector<Expr> variables_;
  Ranges ranges_;
};

}  // namespace hone::ir
