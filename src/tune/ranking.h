// How well predictions rank what was measured afterwards.
#pragma once
#include <span>

#include "tune/trial.h"

namespace hone::tune {

// Spearman's rank correlation of score and speed over the trials that have both, ties sharing their
// mean rank; none when there are fewer than two, or all are equal.
double rank_correlation(std::span<const Trial> trials);
// The speed of the trial with the highest score, relative to the fastest; none without scores.
double top1(std::span<const Trial> trials);

}  // namespace hone::tune
