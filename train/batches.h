// In which order an epoch visits the programs, and what is compared with what.
#pragma once
#include <cstdint>
#include <vector>

#include "train/data_set.h"
#include "train/split.h"

namespace hone::train {

// Programs of one platform that a ranking loss compares with each other.
using List = std::vector<Program>;
using ListBatch = std::vector<List>;

struct Visits {
  std::size_t batch = 0;     // programs at a time
  std::size_t list = 0;      // of one task that are compared with each other; 0: all, tasks mixed
  std::size_t per_task = 0;  // of a task at most; 0: all
};

// Into how many lists an epoch cuts a task of so many programs; lists have a length.
std::size_t lists_of_task(std::size_t programs, const Visits& visits);

// The programs of these tasks in random order, a batch at a time. Without a length of lists a batch is
// one list a platform, tasks mixed (TLP and TenSet); otherwise it is several lists of at most that many
// programs of one task each. Of tasks that have more than `per_task` every epoch draws others. In mixed
// lists, programs that are one (`same`: of each program the first that is the same program, or nothing)
// come together and count once. A function of seed and epoch alone.
std::vector<ListBatch> batches_of_epoch(const DataSet& set, const TaskIds& tasks, const Visits& visits,
                                        std::uint64_t seed, std::uint64_t epoch,
                                        const std::vector<Program>& same = {});

}  // namespace hone::train
