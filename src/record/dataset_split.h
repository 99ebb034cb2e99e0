// A data set as two: one to learn from, one to be judged on. Tasks are never cut.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/dataset.h"

namespace hone::record {

enum class SplitBy : std::uint8_t {
  Task,       // a share of the workload keys, drawn at random
  Structure,  // a share of the computations, all their sizes together
  Model,      // all tasks of the networks held out
  Target,     // all tasks of the targets or machines held out
  List        // the workload keys held out
};

struct SplitOptions {
  SplitBy by = SplitBy::Task;
  std::vector<std::string> hold_out;  // networks, targets and machines, or workload keys
  double share = 0.1;                 // of tasks or structures that are held out
  std::uint64_t seed = 1;
};

// For each task whether it is held out. A workload key is on one side only, whichever machines it was
// measured on; by target it is on both. UserError when a name is in no task, or nothing is left on one
// side.
std::vector<bool> held_out(const Dataset& set, const SplitOptions& options);

struct SplitSummary {
  std::int64_t train_programs = 0, train_tasks = 0, test_programs = 0, test_tasks = 0;
};
SplitSummary split_dataset(const Dataset& set, const SplitOptions& options, const std::string& train,
                           const std::string& test);

// Names and weights of `task.networks`.
struct NetworkWeight {
  std::string name;
  double weight;
};
std::vector<NetworkWeight> networks_of(std::string_view text);

}  // namespace hone::record
