// An operand of an op: the sums that index it, and how far apart in memory its neighbours lie.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/simplify.h"
#include "space/structure.h"

namespace hone::space {

struct Operand {
  ir::Buffer buffer;
  std::vector<ir::Linear> index;      // one sum a dimension
  std::vector<std::int64_t> strides;  // bytes between neighbours, one a dimension
};
// One a load of the op's first body, in the order in which they are met.
std::vector<Operand> operands_of(const task::Op& op);

// How far a step of the variable moves a sum; what the sum hides in other atoms counts once.
std::int64_t coefficient(const ir::Linear& sum, const ir::Expr& var);
bool uses(const Operand& operand, const ir::Expr& var);

// Bytes between the elements that neighbours along the variable read, looking through what is computed
// where it is read; the largest where they differ.
std::int64_t step_along(const task::Task& task, const std::vector<StageRole>& roles,
                        const Operand& operand, const ir::Expr& var);

}  // namespace hone::space
