// What a data set is worth: how much there is, how noisy, how hard to beat by chance.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "record/dataset.h"

namespace hone::record {

struct Spread {
  std::int64_t count = 0;
  double median = 0, p90 = 0;
};

// What a pick at random is worth, as best time over picked time; a failed program counts as 1e5 times
// slower than the best of its task.
struct RandomFloor {
  double top1 = 0, top5 = 0;  // mean over tasks
  double pooled_top1 = 0;     // of the sums over tasks
  std::int64_t tasks = 0;     // that have an answer
};

struct DatasetStats {
  std::int64_t programs = 0, valid = 0;
  std::array<std::int64_t, 9> statuses = {};
  std::int64_t tasks = 0, structures = 0, tasks_with_dag = 0, tasks_with_network = 0;
  std::int64_t tasks_without_answer = 0;  // all of their programs failed
  std::int64_t distinct = 0;              // step lists, whatever their task
  std::int64_t repeated = 0;              // programs whose task had the same step list before
  double bytes_a_program = 0;
  Spread repeats;        // of a program's repeats, standard deviation over mean
  Spread minima, means;  // of a program measured again, larger over smaller
  RandomFloor floor;
};
DatasetStats stats_of(const Dataset& set);

// Programs that look the same once they are written as `view` has it though their step lists differ.
struct Collisions {
  std::int64_t distinct = 0;   // views
  std::int64_t colliding = 0;  // programs whose view another step list has, too
  Spread labels;               // of each such view, largest less smallest of best time over time
};
// `view` gives a number for each program, equal for equal looks; it is called from several threads.
using ProgramView = std::function<std::uint64_t(std::size_t program)>;
Collisions collisions_of(const Dataset& set, const ProgramView& view, int threads);

// Programs of each task, in their order.
std::vector<std::vector<std::uint32_t>> programs_by_task(const Dataset& set);

}  // namespace hone::record
