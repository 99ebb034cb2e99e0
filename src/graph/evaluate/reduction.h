// What reductions begin with and how they go on.
#pragma once
#include <limits>

#include "graph/evaluate/elements.h"

namespace hone::graph {

// What a reduction over nothing gives: 0, 1, or what every value of the type is no less (or no greater)
// than.
template <class Wide>
Wide start_of(Reduction reduction, ir::Scalar type) {
  switch (reduction) {
    case Reduction::Sum:
      return 0;
    case Reduction::Prod:
      return 1;
    case Reduction::Max:
      if constexpr (std::is_floating_point_v<Wide>) return -std::numeric_limits<Wide>::infinity();
      return static_cast<Wide>(ir::min_value(type));
    case Reduction::Min:
      if constexpr (std::is_floating_point_v<Wide>) return std::numeric_limits<Wide>::infinity();
      return type == ir::Scalar::U64 ? std::numeric_limits<Wide>::max()
                                     : static_cast<Wide>(ir::max_value(type));
  }
  fail("a reduction of the enum");
}

template <class Wide>
Wide combine(Reduction reduction, Wide a, Wide b) {
  switch (reduction) {
    case Reduction::Sum:
      return sum(a, b);
    case Reduction::Prod:
      return product(a, b);
    case Reduction::Max:
      return b > a ? b : a;
    default:
      return b < a ? b : a;
  }
}

}  // namespace hone::graph
