// What a model learns from: programs with the task they belong to and how fast they are.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/hds/file.h"

namespace hone::train {

using Program = std::uint32_t;  // its place in the set

struct Task {
  std::string key, structure;
  std::vector<Program> programs;
  double best_s = 0;  // of its fastest program; 0 when all failed or none was measured
};

struct DataSet {
  record::hds::File file;
  std::vector<Task> tasks;
  std::vector<std::uint32_t> task_of;  // a program
  std::vector<float> speed;            // best time of the task / its time; 0 when it failed
  std::vector<std::uint8_t> works;     // whether it built, ran and answered right

  std::size_t n_programs() const { return task_of.size(); }
};

// `label` is which of a program's repeats counts: min (the steadier one) or mean (as published).
// UserError when the file is damaged.
DataSet load_data_set(const std::string& path, const std::string& label);

// Time of the program divided by the best of its task. A failed one counts as 1e5 times slower, as
// TenSet has it.
std::vector<double> relative_times(const DataSet& set, const Task& task);

}  // namespace hone::train
