// Which loops the code generator writes out, and which tensors therefore never reach memory.
#pragma once
#include <vector>

#include "feature/loop_tree.h"
#include "target/target.h"

namespace hone::feature {

// Whether the elements of a vector differ in what is done for them: padding in the midst of several
// dimensions that were fused into it. Such a loop stays one, over single elements.
bool takes_turns(const LoopTree& tree, const Store& store, schedule::Var var);

struct StraightLines {
  std::vector<bool> is_written_out;  // by loop: a vector, or unrolled whole
  std::vector<bool> in_registers;    // by tensor: stored and loaded in one straight line only

  // The innermost loop around `loop`, itself included, that stays a loop; -1 when none does.
  int kept(const LoopTree& tree, int loop) const;
};

// The rest that fills no native vector is made of shorter ones: 7 lanes are 4, 2 and 1.
std::int64_t native_vectors(std::int64_t lanes, std::int64_t native);

StraightLines straight_lines(const LoopTree& tree, const target::Target& target);

// By tensor: sums whose first values are stored in a straight line, right before the loops of the sum
// and no others. They stay in registers, so that nothing is stored, nor loaded again.
std::vector<bool> starts_in_registers(const LoopTree& tree, const StraightLines& lines,
                                      const target::Target& target);

}  // namespace hone::feature
