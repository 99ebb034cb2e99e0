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

// The programs of these tasks in random order, `batch_size` at a time. With `list_size` 0 a batch is
// one list a platform, tasks mixed (TLP and TenSet); otherwise it is several lists of at most that many
// programs of one task each. In mixed lists, programs that are one (`same`: of each program the first
// that is the same program, or nothing) come together and count once. A function of seed and epoch
// alone.
std::vector<ListBatch> batches_of_epoch(const DataSet& set, const TaskIds& tasks,
                                        std::size_t batch_size, std::size_t list_size,
                                        std::uint64_t seed, std::uint64_t epoch,
                                        const std::vector<Program>& same = {});

}  // namespace hone::train
