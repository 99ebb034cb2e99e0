#include "feature/facts.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "feature/index.h"

namespace hone::feature {

using ir::BinaryOp;
using schedule::Digit;
using schedule::Limits;
using schedule::Sum;
using schedule::Var;

namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

bool is_quotient(const Digit& digit) { return digit.lower > 1 && digit.upper == 0 && digit.scale > 0; }

}  // namespace

void Facts::clear() {
  guards_.clear();
  for (auto it = tightened_.rbegin(); it != tightened_.rend(); ++it) {
    vars_.set_limits(it->first, it->second);
  }
  tightened_.clear();
}

// Variables that the guard bounds too get narrower limits: its own, and the sums that quotients are
// taken of.
void Facts::tighten(const Guard& guard) {
  for (const Digit& digit : guard.sum.digits) {
    if (digit.lower == 1 && digit.upper == 0) tighten(guard, digit.var, {{{.var = digit.var}}, 0});
  }
  for (Var var = 0; var < vars_.size(); ++var) {
    if (const Sum* sum = vars_.sum_of(var)) tighten(guard, var, *sum);
  }
}

void Facts::tighten(const Guard& guard, Var var, const Sum& sum) {
  Limits values = vars_.limits(var);
  if (sum.digits.empty() || !values.is_known()) return;
  // At least 1, for quotients and remainders simplify by it, but a variable does not become a number.
  const std::int64_t max = std::max<std::int64_t>(1, max_of(sum, guard));
  if (max >= values.max) return;
  tightened_.emplace_back(var, values);
  values.max = max;
  vars_.set_limits(var, values);
}

// The most that the sum can be where the guard holds. Quotients are multiplied out first: what they
// round off only lowers the sum.
std::int64_t Facts::max_of(const Sum& sum, const Guard& guard) const {
  std::int64_t multiple = 1;
  for (const Digit& digit : sum.digits) {
    if (is_quotient(digit)) multiple = std::lcm(multiple, digit.lower);
  }
  Sum whole = schedule::constant(sum.constant * multiple);
  for (const Digit& digit : sum.digits) {
    Sum part;
    part.digits.push_back(digit);
    if (is_quotient(digit)) part.digits.front().lower = 1;
    schedule::add(vars_, whole, part, is_quotient(digit) ? multiple / digit.lower : multiple);
  }
  return schedule::floor_div(max_of_product(whole, guard), multiple);
}

std::int64_t Facts::max_of_product(const Sum& sum, const Guard& guard) const {
  const std::int64_t max = schedule::limits(vars_, sum).max;
  for (const Digit& a : guard.sum.digits) {
    for (const Digit& b : sum.digits) {
      if (a.var != b.var || a.scale < 1 || b.scale < 1) continue;
      if (a.scale >= b.scale) {  // guard = factor * sum + rest
        const std::int64_t factor = a.scale / b.scale;
        const Limits rest = schedule::limits(vars_, difference(guard.sum, sum, factor));
        return std::min(max, schedule::floor_div(guard.limits.max - rest.min, factor));
      }
      const std::int64_t factor = b.scale / a.scale;  // sum = factor * guard + rest
      const Limits rest = schedule::limits(vars_, difference(sum, guard.sum, factor));
      return std::min(max, guard.limits.max * factor + rest.max);
    }
  }
  return max;
}

Sum Facts::difference(Sum a, const Sum& b, std::int64_t factor) const {
  schedule::add(vars_, a, b, -factor);
  return a;
}

Sum Facts::simplified(const Sum& sum) const {
  Sum out;
  schedule::add(vars_, out, sum);
  return out;
}

void Facts::assume_below(Sum sum, std::int64_t end) {
  const Limits known = schedule::limits(vars_, sum);
  if (known.is_known() && known.max < end) return;
  guards_.push_back({std::move(sum), {-kFar, end - 1}});
  tighten(guards_.back());
}

void Facts::assume_not_negative(Sum sum) {
  const Limits known = schedule::limits(vars_, sum);
  if (known.is_known() && known.min >= 0) return;
  guards_.push_back({std::move(sum), {0, kFar}});
}

bool Facts::guards_mention(Var var) const {
  return std::any_of(guards_.begin(), guards_.end(),
                     [&](const Guard& guard) { return mentions(vars_, guard.sum, var); });
}

Limits Facts::limits(const Sum& sum) const {
  Limits known = schedule::limits(vars_, sum);
  if (!known.is_known()) known = {-kFar, kFar};
  for (const Guard& guard : guards_) {
    const Sum distance = difference(sum, guard.sum, 1);
    if (!distance.is_constant()) continue;
    known.min = std::max(known.min, guard.limits.min + distance.constant);
    known.max = std::min(known.max, guard.limits.max + distance.constant);
  }
  return known;
}

std::optional<bool> Facts::decide(const ir::Expr& condition, const schedule::AxisValues& axes) const {
  if (const auto literal = ir::as_int(condition)) return *literal != 0;
  if (const auto* inverted = condition.as<ir::Not>()) {
    const auto inner = decide(inverted->a, axes);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  const auto* n = condition.as<ir::Binary>();
  if (n == nullptr) return std::nullopt;
  if (n->op == BinaryOp::And || n->op == BinaryOp::Or) {
    const bool decisive = n->op == BinaryOp::Or;
    const auto a = decide(n->a, axes), b = decide(n->b, axes);
    if (a == decisive || b == decisive) return decisive;
    return a && b ? std::optional(!decisive) : std::nullopt;
  }
  return n->a.type() == ir::kIndex ? decide_comparison(*n, axes) : std::nullopt;
}

std::optional<bool> Facts::decide_comparison(const ir::Binary& n,
                                             const schedule::AxisValues& axes) const {
  Sum distance = schedule::to_sum(vars_, n.a, axes);
  schedule::add(vars_, distance, schedule::to_sum(vars_, n.b, axes), -1);
  const Limits values = limits(distance);
  const auto known = [](bool always, bool never) {
    return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
  };
  const bool misses_zero = values.max < 0 || values.min > 0;
  const bool is_zero = values.min == 0 && values.max == 0;
  switch (n.op) {
    case BinaryOp::Lt:
      return known(values.max < 0, values.min >= 0);
    case BinaryOp::Le:
      return known(values.max <= 0, values.min > 0);
    case BinaryOp::Gt:
      return known(values.min > 0, values.max <= 0);
    case BinaryOp::Ge:
      return known(values.min >= 0, values.max < 0);
    case BinaryOp::Eq:
      return known(is_zero, misses_zero);
    case BinaryOp::Ne:
      return known(misses_zero, is_zero);
    default:
      return std::nullopt;
  }
}

}  // namespace hone::feature
