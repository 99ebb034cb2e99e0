// Index expressions as sums over axes, and what each stage reads once the inlined ones are gone.
#pragma once
#include <functional>

#include "schedule/state.h"

namespace hone::schedule {

struct AxisValue {
  const ir::Node* axis;  // a variable of the expression
  Sum value;
};
using AxisValues = std::vector<AxisValue>;

// The integer expression as a sum. What is no sum (a value read from memory, a minimum that the ranges
// do not decide) becomes an opaque variable, mapped by `rest` first when given.
Sum to_sum(Vars& vars, const ir::Expr& e, const AxisValues& axes,
           const std::function<ir::Expr(const ir::Expr&)>& rest = {});

struct Read {
  int producer;
  std::vector<Sum> index;  // over the variables of the reading stage's axes
};
// Reads of a stage that is not inlined, through those that are. `bounds` numbers the variables.
std::vector<Read> reads_of(const State& state, int stage, Bounds& bounds);

}  // namespace hone::schedule
