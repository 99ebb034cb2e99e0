// Which tasks are learned from and which are held out. Always by task and never by program, and tasks
// of one structure stay together: a shape that was seen says much about its neighbours.
#pragma once
#include <cstdint>
#include <vector>

#include "train/data_set.h"

namespace hone::train {

using TaskIds = std::vector<std::uint32_t>;

// Deals the tasks, structure by structure, into `n_folds` of about as many tasks each.
std::vector<TaskIds> deal_folds(const DataSet& set, const TaskIds& tasks, std::size_t n_folds,
                                std::uint64_t seed);

struct Fold {
  std::size_t number = 0, of = 0;  // of == 0: nothing is left out
};

struct Split {
  TaskIds training, validation;
};

// Fold `left_out` is in neither part, for cross-validation; it does not depend on the seed, so that
// models of several seeds are judged on the same tasks. Tasks without a program that works are in
// neither part.
Split split_tasks(const DataSet& set, Fold left_out, double validation_share, std::uint64_t seed);

}  // namespace hone::train
