#include "feature/index.h"

#include <algorithm>

namespace hone::feature {

using schedule::Digit;
using schedule::Sum;
using schedule::Var;
using schedule::Vars;

bool mentions(const Vars& vars, const Sum& sum, Var var) {
  return std::any_of(sum.digits.begin(), sum.digits.end(), [&](const Digit& digit) {
    const Sum* inner = vars.sum_of(digit.var);
    return digit.var == var || (inner != nullptr && mentions(vars, *inner, var));
  });
}

bool mentions(const Vars& vars, const Access& access, Var var) {
  return std::any_of(access.indices.begin(), access.indices.end(), [&](const Index& index) {
    return std::any_of(index.begin(), index.end(),
                       [&](const Sum& sum) { return mentions(vars, sum, var); });
  });
}

namespace {

void add_periods(const Vars& vars, const Sum& sum, Var var, std::vector<std::int64_t>& periods) {
  for (const Digit& digit : sum.digits) {
    if (digit.var == var) {
      if (digit.lower > 1) periods.push_back(digit.lower);
    } else if (const Sum* inner = vars.sum_of(digit.var)) {
      add_periods(vars, *inner, var, periods);
    }
  }
}

}  // namespace

void add_periods(const Vars& vars, const Access& access, Var var, std::vector<std::int64_t>& periods) {
  for (const Index& index : access.indices)
    for (const Sum& sum : index) add_periods(vars, sum, var, periods);
}

std::int64_t scale_inside(std::int64_t scale, const Digit& around) {
  if (around.upper == 0 || around.lower != 1) return scale;
  return scale - schedule::floor_div(scale, around.upper) * around.upper;
}

}  // namespace hone::feature
