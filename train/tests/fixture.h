// A small data set made up for tests.
#pragma once
#include <cstdint>
#include <set>
#include <string>

namespace hone::train {

struct MadeUp {
  int tasks = 6;
  int programs = 20;   // a task
  int structures = 3;  // that the tasks share
  int statement_columns = 8;
  bool failures = true;   // every seventh program
  bool hopeless = false;  // all programs of the last task failed
  std::uint64_t seed = 1;
  std::string machine = {};              // empty: the set does not say
  double machine_weight = 0.2;           // of the features in the time: what a machine makes of them
  std::set<std::uint32_t> changed = {};  // programs that were measured otherwise
};

// Programs whose speed follows from their features, so that it can be learned. All views are there.
// Sets of one seed have the same programs.
void write_made_up_set(const std::string& path, const MadeUp& made_up);

// Of the running test alone.
std::string temporary_file(const std::string& name);

}  // namespace hone::train
