#include "schedule/sum.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace hone::schedule {
namespace {

constexpr Limits kUnknown{1, 0};

Limits limits_of(const Vars& vars, const Digit& digit, bool by_extent) {
  Limits value = by_extent || vars.simplifies_by_extent(digit.var) ? vars.limits(digit.var) : kUnknown;
  if (digit.upper != 0) {
    if (!value.is_known() || value.min < 0 || value.max >= digit.upper) value = {0, digit.upper - 1};
  } else if (!value.is_known()) {
    return kUnknown;
  }
  value = {floor_div(value.min, digit.lower), floor_div(value.max, digit.lower)};
  value = {checked_product(value.min, digit.scale), checked_product(value.max, digit.scale)};
  if (digit.scale < 0) std::swap(value.min, value.max);
  return value;
}

// One digit for two of the same variable, when there is such a one; `high` stands before `low`.
bool merge(Digit& high, const Digit& low) {
  if (high.lower == low.lower && high.upper == low.upper) {
    high.scale = checked_sum(high.scale, low.scale);
    return true;
  }
  // (x mod u div l) * l/k * s + (x mod l div k) * s = (x mod u div k) * s
  if (high.lower == low.upper &&
      checked_product(high.scale, low.lower) == checked_product(low.scale, high.lower)) {
    high = {high.var, low.scale, low.lower, high.upper};
    return true;
  }
  // x * s - (x div c) * c * s = (x mod c) * s
  if (low.lower == 1 && low.upper == 0 && high.upper == 0 &&
      high.scale == checked_product(-low.scale, high.lower)) {
    high = {high.var, low.scale, 1, high.lower};
    return true;
  }
  return false;
}

void add_digit(const Vars& vars, Sum& to, Digit digit) {
  const Limits& values = vars.limits(digit.var);
  if (vars.simplifies_by_extent(digit.var) && values.is_known() && values.min >= 0) {
    if (digit.upper > values.max) digit.upper = 0;
    if (digit.lower > (digit.upper != 0 ? digit.upper - 1 : values.max)) return;
  }
  if (digit.lower == 1 && digit.upper == 0) {
    if (const Sum* sum = vars.sum_of(digit.var)) return add(vars, to, Sum(*sum), digit.scale);
  }
  auto& digits = to.digits;
  auto place = std::find_if(digits.begin(), digits.end(),
                            [&](const Digit& other) { return other.var == digit.var; });
  while (place != digits.end() && place->var == digit.var) {
    if (place->lower >= digit.lower && merge(*place, digit)) {
      digit = *place;
      digits.erase(place);
      if (digit.scale != 0) add_digit(vars, to, digit);
      return;
    }
    if (place->lower < digit.lower && merge(digit, *place)) {
      digits.erase(place);
      if (digit.scale != 0) add_digit(vars, to, digit);
      return;
    }
    if (place->lower < digit.lower) break;
    ++place;
  }
  digits.insert(place, digit);
}

// a = divisor * quotient + rest, where the rest is as small as whole digits allow.
struct Division {
  Sum quotient, rest;
};

Limits limits_of(const Vars& vars, const Sum& sum, bool by_extent) {
  Limits all{sum.constant, sum.constant};
  for (const Digit& digit : sum.digits) {
    const Limits value = limits_of(vars, digit, by_extent);
    if (!value.is_known()) return kUnknown;
    if (__builtin_add_overflow(all.min, value.min, &all.min) ||
        __builtin_add_overflow(all.max, value.max, &all.max)) {
      return kUnknown;
    }
  }
  return all;
}

Division divide(const Vars& vars, const Sum& a, std::int64_t divisor) {
  Division out;
  for (const Digit& digit : a.digits) {
    if (digit.scale % divisor == 0) {
      Digit part = digit;
      part.scale /= divisor;
      out.quotient.digits.push_back(part);
    } else {
      out.rest.digits.push_back(digit);
    }
  }
  out.quotient.constant = floor_div(a.constant, divisor);
  out.rest.constant = a.constant - out.quotient.constant * divisor;
  const Limits values = limits_of(vars, out.rest, false);
  const std::int64_t whole = values.is_known() ? floor_div(values.min, divisor) : 0;
  if (values.is_known() && whole == floor_div(values.max, divisor)) {
    out.quotient.constant += whole;
    out.rest.constant -= whole * divisor;
  }
  return out;
}

bool is_within(const Vars& vars, const Sum& rest, std::int64_t divisor) {
  const Limits values = limits_of(vars, rest, false);
  return values.is_known() && values.min >= 0 && values.max < divisor;
}

// rest = factor * digit + offset with 0 <= offset < factor, where the factor divides the divisor. The
// digit is made up when there is none.
struct Reduced {
  Digit digit;
  std::int64_t factor;
  Sum offset;
};

// The digits whose scale the factor divides, divided by it; the others are left in `offset`.
Sum take_multiples(const Sum& rest, std::int64_t factor, Sum& offset) {
  Sum multiple;
  multiple.constant = floor_div(rest.constant, factor);
  offset = constant(rest.constant - multiple.constant * factor);
  for (const Digit& digit : rest.digits) {
    const bool divides = digit.scale % factor == 0;
    (divides ? multiple : offset).digits.push_back(digit);
    if (divides) multiple.digits.back().scale /= factor;
  }
  return multiple;
}

Reduced reduce(Vars& vars, const Sum& rest, std::int64_t divisor) {
  std::int64_t factor = divisor;
  for (const Digit& digit : rest.digits) factor = std::gcd(factor, digit.scale);
  // A larger factor leaves less to divide, so long as what it leaves over is smaller than it.
  Sum offset;
  for (const Digit& digit : rest.digits) {
    const std::int64_t larger = std::gcd(divisor, digit.scale);
    if (larger <= factor) continue;
    take_multiples(rest, larger, offset);
    if (is_within(vars, offset, larger)) factor = larger;
  }
  const Sum multiple = take_multiples(rest, factor, offset);
  const bool is_digit =
      multiple.digits.size() == 1 && multiple.constant == 0 && multiple.digits.front().scale == 1;
  const Digit digit = is_digit ? multiple.digits.front() : Digit{.var = vars.compound(multiple)};
  return {digit, factor, std::move(offset)};
}

}  // namespace

Var Vars::add_loops(int count) {
  const auto first = static_cast<Var>(vars_.size());
  vars_.resize(vars_.size() + static_cast<std::size_t>(count));
  return first;
}

Var Vars::compound(const Sum& sum) {
  const auto found = std::find(sums_.begin(), sums_.end(), sum);
  const auto number = static_cast<std::int32_t>(found - sums_.begin());
  if (found != sums_.end()) {
    const auto var =
        std::find_if(vars_.begin(), vars_.end(), [&](const Info& info) { return info.sum == number; });
    return static_cast<Var>(var - vars_.begin());
  }
  const Limits values = limits_of(*this, sum, false);
  sums_.push_back(sum);
  vars_.push_back({values, number, {}, true});
  return static_cast<Var>(vars_.size()) - 1;
}

Var Vars::opaque(const ir::Expr& e) {
  const auto found = std::find_if(vars_.begin(), vars_.end(), [&](const Info& info) {
    return info.expr && ir::equal(info.expr, e);
  });
  if (found != vars_.end()) return static_cast<Var>(found - vars_.begin());
  vars_.push_back({kUnknown, -1, e, false});
  return static_cast<Var>(vars_.size()) - 1;
}

Sum constant(std::int64_t value) {
  Sum sum;
  sum.constant = value;
  return sum;
}

Sum variable(const Vars& vars, Var var) {
  const Limits& values = vars.limits(var);
  if (values.is_known() && values.min == values.max) return constant(values.min);
  Sum sum;
  add_digit(vars, sum, {.var = var});
  return sum;
}

void add(const Vars& vars, Sum& to, const Sum& what, std::int64_t scale) {
  to.constant = checked_sum(to.constant, checked_product(what.constant, scale));
  if (scale == 0) return;
  for (Digit digit : what.digits) {
    digit.scale = checked_product(digit.scale, scale);
    add_digit(vars, to, digit);
  }
}

Sum floor_div(Vars& vars, const Sum& a, std::int64_t divisor) {
  check(divisor > 0, "a divisor is positive");
  if (divisor == 1) return a;
  Division parts = divide(vars, a, divisor);
  if (is_within(vars, parts.rest, divisor)) return parts.quotient;
  const Reduced reduced = reduce(vars, parts.rest, divisor);
  Digit digit = reduced.digit;
  const std::int64_t lower = checked_product(digit.lower, divisor / reduced.factor);
  digit.lower = lower;
  add_digit(vars, parts.quotient, digit);
  return parts.quotient;
}

Sum floor_mod(Vars& vars, const Sum& a, std::int64_t divisor) {
  check(divisor > 0, "a divisor is positive");
  Division parts = divide(vars, a, divisor);
  if (is_within(vars, parts.rest, divisor)) return parts.rest;
  const Reduced reduced = reduce(vars, parts.rest, divisor);
  Digit digit = reduced.digit;
  const std::int64_t upper = checked_product(digit.lower, divisor / reduced.factor);
  if (digit.upper != 0 && digit.upper % upper != 0) {
    Sum inner;
    inner.digits.push_back(digit);
    digit = {.var = vars.compound(inner)};
    digit.upper = divisor / reduced.factor;
  } else {
    digit.upper = upper;
  }
  digit.scale = reduced.factor;
  Sum out;
  add_digit(vars, out, digit);
  add(vars, out, reduced.offset);
  return out;
}

Limits limits(const Vars& vars, const Sum& sum) { return limits_of(vars, sum, true); }

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw UserError("an index is larger than 64 bits hold");
  return sum;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw UserError("an index is larger than 64 bits hold");
  return product;
}

}  // namespace hone::schedule
