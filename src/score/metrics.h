// How good predictions are, judged by what was measured.
#pragma once
#include <span>

namespace hone::score {

// Scores are any numbers that grow with speed; times are positive and belong to one task.
// Programs with equal scores count as the mean over all orders in which they could stand, so that a
// scorer that knows nothing is judged as a random pick, exactly.

// Best time divided by the best time among the k highest scores: 1 when the best program is among them.
double top_k(std::span<const double> scores, std::span<const double> times, int k);
// That best time among the k highest scores itself.
double picked_time(std::span<const double> scores, std::span<const double> times, int k);
// How likely the program with the highest score takes more than `factor` times the best time.
double far_off(std::span<const double> scores, std::span<const double> times, double factor);
// Which share of the k fastest programs is among the k highest scores.
double recall(std::span<const double> scores, std::span<const double> times, int k);
// How many programs are tried, the highest score first, until one reaches `share` of the best speed.
double trials_to(std::span<const double> scores, std::span<const double> times, double share);
// The share of pairs with different times whose faster program has the higher score; 0.5 without pairs.
double pairwise_accuracy(std::span<const double> scores, std::span<const double> times);
// Spearman's rank correlation of score and speed, from -1 to 1; 0 where one of them is constant.
double rank_correlation(std::span<const double> scores, std::span<const double> times);
// Root of the mean squared difference.
double rmse(std::span<const double> predicted, std::span<const double> actual);

}  // namespace hone::score
