// Whether a model's doubt is right: how often what it said holds. docs/judging.md has the definitions.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "score/model.h"

namespace hone::score {

// What was said of a program and what was measured, as logarithms of latency / best of the task.
struct Claim {
  double said = 0, spread = 0;  // the spread is a standard deviation
  double measured = 0;
};
using TaskClaims = std::vector<Claim>;  // of one task

// The score as a claim: minus its logarithm, give or take its spread.
Claim claim_of(const Prediction& prediction, double measured);

// Shares of the programs that should be within an interval around what was said.
inline constexpr std::array kLevels = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};

// For each level the share of the programs that are within the interval which a normal distribution
// with this spread, times `scale`, gives that level; mean of tasks. Nothing without claims.
std::vector<double> coverage(std::span<const TaskClaims> tasks, double scale = 1);

// The mean over the levels of how far the coverage is from the level: 0 for a doubt that is right, 0.5
// for one that is always far too small or far too large.
double expected_calibration_error(std::span<const TaskClaims> tasks, double scale = 1);

// The factor of the spread with the least such error, between 1/64 and 64; 1 without claims.
double fit_spread_scale(std::span<const TaskClaims> tasks);

}  // namespace hone::score
