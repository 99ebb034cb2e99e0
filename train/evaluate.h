// A model asked about many programs, and how well it picks among the programs of a task.
#pragma once
#include <vector>

#include "train/model.h"
#include "train/split.h"

namespace hone::train {

// What a model says of each of these programs. Where it cannot tell, the spread is 0 and valid is 1.
struct Said {
  std::vector<double> score, spread, valid;
};
Said ask(Model& model, const Features& features, const std::vector<Program>& programs);

struct Quality {
  double top1 = 0, top5 = 0;  // best time / best time among the first k, mean over tasks
};

// Of the tasks that have a program which works.
Quality judge(Model& model, const Features& features, const DataSet& set, const TaskIds& tasks);

}  // namespace hone::train
