// How well predictions ranked what was measured afterwards.
#pragma once
#include <span>

#include "tune/trial.h"

namespace hone::tune {

struct Ranking {
  double rank_correlation = record::kNone;  // Spearman's, of score and speed
  double top1 = record::kNone;  // speed of the trial with the highest score over that of the fastest
};

// Of the trials that have a score and a time; nothing is known of fewer than two.
Ranking ranking_of(std::span<const Trial> trials);

}  // namespace hone::tune
