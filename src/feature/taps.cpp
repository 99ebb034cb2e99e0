#include "feature/taps.h"

#include <algorithm>

#include "feature/index.h"

namespace hone::feature {
namespace {

using schedule::Digit;
using schedule::Sum;

// A quotient whose remainder nobody reads; the numbers of fused loops have both.
bool is_spread(const schedule::Vars& vars, const Index& index, const Digit& quotient) {
  if (vars.sum_of(quotient.var) == nullptr) return false;
  if (quotient.lower == 1 || quotient.upper != 0 || quotient.scale != 1) return false;
  const auto is_remainder = [&](const Digit& digit) {
    return digit.var == quotient.var && digit.upper == quotient.lower;
  };
  return std::ranges::none_of(
      index, [&](const Sum& sum) { return std::ranges::any_of(sum.digits, is_remainder); });
}

template <class Predicate>
double share_of(const schedule::Vars& vars, const Store& store, const Predicate& counts) {
  double share = 1;
  if (store.operations.choices == 0) return share;
  for (const Access& access : store.accesses) {
    const Index& index = access.indices.front();
    for (const Sum& sum : index)
      for (const Digit& digit : sum.digits)
        if (is_spread(vars, index, digit) && counts(digit)) share /= static_cast<double>(digit.lower);
  }
  return share;
}

}  // namespace

double share_of_taps(const schedule::Vars& vars, const Store& store) {
  return share_of(vars, store, [](const Digit& /*unused*/) { return true; });
}

double share_met_by(const schedule::Vars& vars, const Store& store,
                    std::span<const schedule::Var> loops) {
  return share_of(vars, store, [&](const Digit& digit) {
    return std::ranges::any_of(
        loops, [&](schedule::Var loop) { return mentions(vars, *vars.sum_of(digit.var), loop); });
  });
}

}  // namespace hone::feature
