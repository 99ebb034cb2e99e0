// Random legal schedules with every kind of step that CPUs know, for tests that compare what they
// compute.
#pragma once
#include <cstdint>
#include <memory>

#include "schedule/state.h"

namespace hone::property {

// One seed, one schedule; the state has its bounds. Steps that are refused, or after which bounds
// cannot be inferred, are taken back, and so are those that make the schedule recompute so much that
// it could not be interpreted in a few milliseconds.
schedule::State random_schedule(std::shared_ptr<const task::Task> task, std::uint64_t seed);

}  // namespace hone::property
