// What a prediction is worth when the program may fail.
#pragma once
#include <cmath>

namespace hone {

// Less than the score, whatever its sign; `valid` is the probability that the program works.
inline double expected_score(double score, double valid) {
  return score - (1 - valid) * std::abs(score);
}

}  // namespace hone
