// How good a scorer is on this machine before and after it was adapted, on tasks that it was not
// adapted to.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "score/comparison.h"
#include "tune/labels.h"

namespace hone::cli {

struct ScorerToAdapt {
  score::ScorerFile file;
  std::shared_ptr<const score::Network> network;  // the same; tells what its last layer read
  std::string cache;                              // folder of its compiled kernels
  int threads = 1;
};

// UserError when the scorer is of a kind that is not adapted.
score::AdaptResult adapt(const ScorerToAdapt& scorer, const score::Labelled& labelled);

struct BeforeAfter {
  struct Row {
    std::string name;  // for people
    std::string id;    // for files
    score::Estimate before, after;
    score::Estimate change;  // over the same draws of tasks
  };
  std::size_t tasks = 0;  // judged on
  std::size_t folds = 0;  // that they were dealt into
  std::vector<Row> rows;
};

// Every task is judged by a scorer that was adapted to tasks of other structures alone. Nothing when
// there are no two structures of which at least two programs work. `known` is the scorer as it was.
std::optional<BeforeAfter> judge_transfer(const ScorerToAdapt& scorer, const tune::Labels& labels);

}  // namespace hone::cli
