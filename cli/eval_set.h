// Which programs of a data set scores are judged on.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"
#include "record/dataset.h"
#include "score/judged_set.h"

namespace hone::cli {

// Tasks that are judged apart: numbers among the judged ones.
struct EvalPart {
  std::string name;
  std::vector<std::size_t> tasks;
};

struct EvalSet {
  record::Dataset data;
  std::string judged_on;  // in words
  score::JudgedSet judged;
  std::vector<EvalPart> parts;  // all of them first; then, of a test split, by what training has seen

  std::vector<std::string> judged_keys() const;  // workload keys
};

// Throws UserError when the file is no data set or nothing of it is left to judge.
EvalSet load_eval_set(const Eval& options);

}  // namespace hone::cli
