// Which tasks are learned from and which are held out. Always by task and never by program, and tasks
// of one structure stay together: a shape that was seen says much about its neighbours. What is held
// out on one machine is held out on all.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "train/data_set.h"

namespace hone::train {

using TaskIds = std::vector<std::uint32_t>;

// What stays together. By task, shapes of one structure are dealt apart: for sets whose structures are
// as few as the names of their operators.
enum class FoldBy { Structure, Task };
FoldBy parse_fold_by(const std::string& word);  // structure or task; UserError for another

struct Fold {
  std::size_t number = 0, of = 0;  // of == 0: nothing is left out
  FoldBy by = FoldBy::Structure;   // also of what is held out for validation
};

// Deals the tasks, structure by structure, into `n_folds` of about as many tasks each. Where there is a
// target its tasks are dealt as if they were alone, so that they do not depend on what else there is.
std::vector<TaskIds> deal_folds(const DataSet& set, const TaskIds& tasks, std::size_t n_folds,
                                std::uint64_t seed, FoldBy by = FoldBy::Structure);

struct Split {
  TaskIds training, validation;
};

// Fold `left_out` is in neither part, for cross-validation; it does not depend on the seed, so that
// models of several seeds are judged on the same tasks. Tasks without a program that works are in
// neither part.
Split split_tasks(const DataSet& set, Fold left_out, double validation_share, std::uint64_t seed);

// Of all tasks of both parts, each key once.
std::vector<std::string> keys_of(const DataSet& set, const Split& split);

}  // namespace hone::train
