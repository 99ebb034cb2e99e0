// A whole program as one row of numbers: how its work is shared out, what its heaviest statements do in
// registers and caches, and what a simple machine would make of it.
#pragma once
#include <string>
#include <vector>

#include "feature/loop_tree.h"
#include "space/hardware.h"

namespace hone::feature {

// Changes when a column changes its meaning; files of models carry it.
inline constexpr int kSummaryVersion = 9;

const std::vector<std::string>& summary_names();
std::vector<float> summary(const schedule::State& state, const LoopTree& tree,
                           const space::Hardware& hardware);

// The stages whose statements the columns `main.*` and `next.*` are of; -1: there is none.
struct SummaryStages {
  int main = -1, next = -1;
};
SummaryStages summary_stages(const schedule::State& state, const LoopTree& tree,
                             const space::Hardware& hardware);

}  // namespace hone::feature
