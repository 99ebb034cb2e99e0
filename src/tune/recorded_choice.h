// What a network is made of when it is compiled and not tuned: what records of earlier runs say, and
// elsewhere what is expected.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "tune/network_plan.h"

namespace hone::tune {

struct Recorded {
  std::vector<int> options;       // one a place of the network
  std::vector<int> alternatives;  // one a choice of the plan
};

// The time of the task's record, if there is one.
using RecordedTime = std::function<std::optional<double>(const task::Task& task)>;

// Of every choice the alternative that was the fastest, where any was measured; else the one that the
// estimate says is clearly faster than the first. The same for forms of places.
Recorded choose_recorded(const Plan& plan, std::size_t network, const RecordedTime& recorded,
                         const Estimate& estimate);

}  // namespace hone::tune
