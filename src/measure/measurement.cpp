#include "measure/measurement.h"

#include <algorithm>
#include <limits>

namespace hone::measure {

double Measurement::best_s() const {
  const auto least = std::min_element(seconds.begin(), seconds.end());
  return least == seconds.end() ? std::numeric_limits<double>::infinity() : *least;
}

}  // namespace hone::measure
