// Who reads whom in a state: inlined stages are looked through.
#pragma once
#include <set>

#include "schedule/state.h"
#include "task/analysis.h"

namespace hone::space {

// Stages that read `stage`, or read what was inlined into them. `analysis` is of the state's own DAG.
std::set<int> consumers(const schedule::State& state, const task::Analysis& analysis, int stage);
std::set<int> producers(const schedule::State& state, const task::Analysis& analysis, int stage);
bool reads_directly(const task::Analysis& analysis, int consumer, int producer);

// The only consumer, or the stage in which all of them are computed; -1 when there is none.
int common_consumer(const schedule::State& state, const task::Analysis& analysis, int stage);

// The only consumer when it can be computed in the same tiles, element by element: it reduces nothing,
// its loops are untouched and it is no copy to shared memory. -1 otherwise.
int elementwise_consumer(const schedule::State& state, const task::Analysis& analysis, int stage);

}  // namespace hone::space
