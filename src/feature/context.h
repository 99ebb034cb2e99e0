// What a task and a machine are like, whatever the schedule: one row of numbers a task.
#pragma once
#include <string>
#include <vector>

#include "space/hardware.h"
#include "task/task.h"

namespace hone::feature {

// Changes when a column changes its meaning; files of models carry it.
inline constexpr int kContextVersion = 1;

const std::vector<std::string>& context_names();
// Amounts as log2(1 + amount); flags are 0 or 1.
std::vector<float> context(const task::Task& task, const space::Hardware& hardware);

// The op with most work: sums before others, then the one with most iterations.
int main_op(const task::Task& task);

}  // namespace hone::feature
