#include "schedule/range.h"

#include <algorithm>
#include <cstdlib>

namespace hone::schedule {
namespace {

constexpr std::int64_t kUnknownExtent = 0;

Range unknown() { return {constant(0), kUnknownExtent}; }

// How far into its quotient the range begins, at most.
std::int64_t latest_start(Vars& vars, const Range& range, std::int64_t divisor) {
  const Limits values = limits(vars, floor_mod(vars, range.min, divisor));
  return values.is_known() ? std::min(values.max, divisor - 1) : divisor - 1;
}

// The value of a digit of the sum, without its scale.
Sum digit_of(Vars& vars, const Sum& sum, const Digit& digit) {
  if (digit.upper == 0) return floor_div(vars, sum, digit.lower);
  return floor_div(vars, floor_mod(vars, sum, digit.upper), digit.lower);
}

// What remains of a range of several values: itself when one quotient serves all of them.
Range modulo(Vars& vars, const Range& range, std::int64_t divisor) {
  if (latest_start(vars, range, divisor) + range.extent > divisor) return {constant(0), divisor};
  Sum rest = range.min;
  add(vars, rest, floor_div(vars, range.min, divisor), -divisor);
  return {rest, range.extent};
}

void add_scaled(const Vars& vars, Range& to, const Range& what, std::int64_t scale) {
  const std::int64_t steps = what.extent - 1;
  Sum first = what.min;
  if (scale < 0) first.constant = checked_sum(first.constant, steps);
  add(vars, to.min, first, scale);
  to.extent = checked_sum(to.extent, checked_product(std::abs(scale), steps));
}

Range relax(Vars& vars, const Digit& digit, const Bindings& bindings) {
  Range range;
  const auto bound = std::find_if(bindings.begin(), bindings.end(),
                                  [&](const Binding& b) { return b.var == digit.var; });
  if (bound != bindings.end()) {
    range = bound->range;
  } else if (const Sum* sum = vars.sum_of(digit.var)) {
    range = schedule::relax(vars, Sum(*sum), bindings);
  } else if (vars.expr_of(digit.var)) {
    return digit.upper != 0 ? Range{constant(0), (digit.upper - 1) / digit.lower + 1} : unknown();
  } else {
    range.min = variable(vars, digit.var);
  }
  if (!range.is_known()) return range;
  if (range.is_point()) return {digit_of(vars, range.min, digit), 1};
  if (digit.upper == 0) return divide(vars, range, digit.lower);
  if (digit.upper % digit.lower != 0) {
    return divide(vars, modulo(vars, range, digit.upper), digit.lower);
  }
  return modulo(vars, divide(vars, range, digit.lower), digit.upper / digit.lower);
}

}  // namespace

Range divide(Vars& vars, const Range& range, std::int64_t divisor) {
  if (divisor == 1) return range;
  const Sum quotient = floor_div(vars, range.min, divisor);
  if (range.is_point()) return {quotient, 1};
  return {quotient, (latest_start(vars, range, divisor) + range.extent - 1) / divisor + 1};
}

Range relax(Vars& vars, const Sum& sum, const Bindings& bindings) {
  Range total{constant(sum.constant), 1};
  for (const Digit& digit : sum.digits) {
    const Range part = relax(vars, digit, bindings);
    if (!part.is_known()) return unknown();
    add_scaled(vars, total, part, digit.scale);
  }
  return total;
}

Range unite(const Vars& vars, const Range& a, const Range& b) {
  if (!a.is_known() || !b.is_known()) return unknown();
  Sum distance = b.min;
  add(vars, distance, a.min, -1);
  if (!distance.is_constant()) return unknown();
  const std::int64_t first = std::min<std::int64_t>(0, distance.constant);
  const std::int64_t end = std::max(a.extent, distance.constant + b.extent);
  Range both{a.min, end - first};
  both.min.constant += first;
  return both;
}

}  // namespace hone::schedule
