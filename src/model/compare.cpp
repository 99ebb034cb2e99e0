#include "model/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/element.h"

namespace hone::model {

double element(const Tensor& tensor, std::int64_t index) {
  const std::int64_t size = ir::size_bytes(tensor.type());
  const ir::Number number = ir::read_number(tensor.type(), tensor.bytes().data() + index * size);
  return ir::is_float(tensor.type()) ? number.f : static_cast<double>(number.i);
}

double relative_error(const Tensor& got, const Tensor& want) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (got.type() != want.type() || got.shape() != want.shape()) return kInfinite;
  double difference = 0, largest = 0;
  for (std::int64_t i = 0; i < want.size(); ++i) {
    const double a = element(got, i), b = element(want, i);
    if (std::isfinite(b)) largest = std::max(largest, std::abs(b));
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    if (!std::isfinite(a) || !std::isfinite(b)) return kInfinite;
    difference = std::max(difference, std::abs(a - b));
  }
  return difference == 0 ? 0 : difference / largest;
}

}  // namespace hone::model
