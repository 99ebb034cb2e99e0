// Programs that were measured, as a scorer is adapted to them and judged on them.
#pragma once
#include <string>
#include <vector>

#include "record/dataset.h"
#include "score/adapt.h"
#include "score/network.h"

namespace hone::tune {

struct Labels {
  score::Labelled programs;
  std::vector<std::string> structures;  // one a task
};

// Of the programs that the scorer can read; tasks that nobody knows what they compute have none.
// Features are made on `jobs` threads.
Labels labels_of(const record::Dataset& set, const score::Network& scorer, int jobs);

// The numbers of all programs of the tasks that are `wanted`.
std::vector<std::size_t> programs_of(const score::Labelled& all, const std::vector<bool>& wanted);
// These programs alone: of the others nobody has measured anything.
score::Labelled part_of(const score::Labelled& all, const std::vector<std::size_t>& programs);

// Deals the tasks into `n` folds of about as many each, those of one structure together. One number a
// task.
std::vector<std::size_t> deal_folds(const Labels& labels, std::size_t n);

}  // namespace hone::tune
