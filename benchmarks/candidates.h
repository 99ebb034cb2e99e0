// Random candidates of the generic structure, as the benchmarks draw them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/step.h"
#include "target/target.h"
#include "task/task.h"

namespace hone::bench {

// Up to `count` distinct ones; fewer when the structure has no more.
std::vector<schedule::Steps> random_candidates(const task::Task& task, int count, int threads,
                                               const target::Target& target, std::uint64_t seed);

}  // namespace hone::bench
