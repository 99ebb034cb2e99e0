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

Sum inside_remainder(const Sum& sum, const Digit& digit) {
  Sum out = sum;
  if (digit.upper == 0 || digit.lower != 1) return out;
  for (Digit& part : out.digits) {
    part.scale -= schedule::floor_div(part.scale, digit.upper) * digit.upper;
  }
  return out;
}

}  // namespace hone::feature
