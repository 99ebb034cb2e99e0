// What instructions that work on many elements at once do for each statement: the optional block of
// ATFormer's rows.
#pragma once
#include <string>
#include <vector>

#include "feature/loop_tree.h"
#include "space/hardware.h"

namespace hone::feature {

inline constexpr int kInstructionVersion = 1;
const std::vector<std::string>& instruction_names();

// One row a tensor that is written or allocated, in the order of `statements`; the last store to it
// counts. hone knows no instruction on matrices and none of GPUs: there is the multiply-add or move of
// a vector register, 1 x lanes elements. Where no loop is vectorised, and on GPUs, a row is 0.
std::vector<float> instruction_rows(const LoopTree& tree, const space::Hardware& hardware);

}  // namespace hone::feature
