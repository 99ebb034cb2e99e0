// How well scores pick among the programs of tasks that were held out of training.
#pragma once
#include <functional>
#include <vector>

#include "train/data_set.h"
#include "train/split.h"

namespace hone::cli {

// Best time / best time among the first k, mean over tasks; 0 without tasks.
struct Quality {
  double top1 = 0, top5 = 0;
};

// Scores of these programs, in their order.
using ScorePrograms = std::function<std::vector<double>(const std::vector<train::Program>& programs)>;

Quality validate(const train::DataSet& set, const train::TaskIds& tasks, const ScorePrograms& score);

}  // namespace hone::cli
