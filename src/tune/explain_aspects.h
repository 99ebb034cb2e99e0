// Which parts of its statements a scorer holds responsible for the score of a program.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "feature/replayed.h"
#include "score/sample.h"
#include "tune/explain.h"

namespace hone::tune {

struct ReadProgram {
  std::shared_ptr<const feature::Replayed> replayed;
  score::Sample sample;
};

// Columns that say one thing of a statement are set to their mean over the random programs, in all
// views that have them, and the scorer is asked again. Nothing without random programs, or when the
// scorer reads neither statements nor a summary.
std::vector<ExplainedAspect> explain_aspects(const AnyScorer& scorer, const ReadProgram& program,
                                             std::span<const ReadProgram> random);

}  // namespace hone::tune
