// What a model learns from: programs with the task they belong to and how fast they are, of one file or
// several, measured on one machine or several.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/hds/file.h"

namespace hone::train {

using Program = std::uint32_t;  // its place in the set, counted over all files

// A computation on one machine: the same computation on two machines is two tasks.
struct Task {
  std::string key, structure;
  std::uint32_t platform = 0;       // which of the set's
  std::vector<Program> programs;    // whose speed is known
  std::vector<Program> unlabelled;  // whose speed is not to be known
  double best_s = 0;                // of its fastest program; 0 when all failed or none was measured
};

// A machine that programs were measured on.
struct Platform {
  std::string name;
  bool is_target = false;  // scores are wanted for this one; what others say is to help
  std::size_t labels = 0;  // programs that a training learns from, those that choose its epoch included
};

// One of the files, and where its tasks and programs begin in the set.
struct Part {
  record::hds::File file;
  std::size_t first_task = 0, n_tasks = 0;
  std::size_t first_program = 0, n_programs = 0;
};

struct DataSet {
  std::vector<Part> parts;
  std::vector<Platform> platforms;  // the target first, if there is one
  std::vector<Task> tasks;
  std::vector<std::uint32_t> task_of;  // a program
  std::vector<float> time_s;           // of a program; what it says of a failed one means nothing
  std::vector<float> speed;            // best time of the task / its time; 0 when it failed
  std::vector<std::uint8_t> works;     // whether it built, ran and answered right

  std::size_t n_programs() const { return task_of.size(); }
  bool has_target() const { return !platforms.empty() && platforms.front().is_target; }
  bool is_of_target(const Task& task) const { return platforms[task.platform].is_target; }
  std::uint64_t content_hash() const;  // of one file that of the file
  void update_speeds(Task& task);      // by its programs alone
};

// `label` is which of a program's repeats counts: min (the steadier one) or mean (as published). The
// platform of a task is its machine; where none is named it is the file's name. UserError when a file
// is damaged, or when two files do not say which machines they are of.
DataSet load_data_sets(const std::vector<std::string>& paths, const std::string& label);
DataSet load_data_set(const std::string& path, const std::string& label);

// Makes the platform of that name the target. UserError, which names all, when there is none.
void set_target(DataSet& set, const std::string& name);

// Time of the program divided by the best of its task. A failed one counts as 1e5 times slower, as
// TenSet has it.
std::vector<double> relative_times(const DataSet& set, const Task& task);

}  // namespace hone::train
