// Boxes of values: a symbolic least value and how many follow it.
#pragma once
#include <vector>

#include "schedule/sum.h"

namespace hone::schedule {

// min, min + 1, ..., min + extent - 1. Extent 0 means that nothing is known.
struct Range {
  Sum min;
  std::int64_t extent = 1;

  bool is_known() const { return extent > 0; }
  bool is_point() const { return extent == 1; }
  bool is(std::int64_t first, std::int64_t count) const {
    return min.is_constant() && min.constant == first && extent == count;
  }
};

// What becomes of a sum when some variables run over ranges; the others stay symbols.
struct Binding {
  Var var;
  Range range;
};
using Bindings = std::vector<Binding>;
Range relax(Vars& vars, const Sum& sum, const Bindings& bindings);

// The quotients of a range by a positive divisor.
Range divide(Vars& vars, const Range& range, std::int64_t divisor);

// The range over which both run; unknown when their distance is no constant.
Range unite(const Vars& vars, const Range& a, const Range& b);

}  // namespace hone::schedule
