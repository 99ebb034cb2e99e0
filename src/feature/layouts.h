// How the results of a program's stages lie in memory.
#pragma once
#include <vector>

#include "schedule/state.h"

namespace hone::feature {

// How a stage's result lies in memory.
struct StageLayout {
  bool is_packed = false;  // as it is read, one element after the other
  int last_axis = -1;      // whose neighbours lie side by side; -1: nobody writes it or it is the last
};

// One a stage: the layout of constants and panels follows from the schedule.
std::vector<StageLayout> layouts_of(const schedule::State& state);

}  // namespace hone::feature
