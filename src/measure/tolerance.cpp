#include "measure/tolerance.h"

#include <algorithm>
#include <cmath>

namespace hone::measure {
namespace {

// Distance from 1 to the next number of the type.
double epsilon(ir::Scalar type) {
  switch (type) {
    case ir::Scalar::F16:
      return 0x1p-10;
    case ir::Scalar::BF16:
      return 0x1p-7;
    case ir::Scalar::F32:
      return 0x1p-23;
    default:
      return 0x1p-52;
  }
}

}  // namespace

// The partial sums of n random terms walk, and so do their rounding errors: the error of a sum is about
// eps * sqrt(n) / 7 of its root mean square, and of a million sums the worst is five times that off.
// Two sums in different orders are compared, which makes it eps * sqrt(n); twice that is allowed. The
// constant part is for exp, tanh and their like, each right to a few units in the last place.
double tolerance(ir::Scalar type, std::int64_t reduction_length, double slack) {
  if (!ir::is_float(type)) return 0;
  const double terms = static_cast<double>(std::max<std::int64_t>(reduction_length, 1));
  return slack * epsilon(type) * (16 + 2 * std::sqrt(terms));
}

}  // namespace hone::measure
