// Grows trees that say a number of a program: boosting by XGBoost with the squared error.
#pragma once
#include <functional>
#include <optional>
#include <span>

#include "score/booster.h"
#include "score/forest.h"

namespace hone::score {

struct ForestOptions {
  int trees = 200;
  int depth = 8;  // at most
  double learning_rate = 0.1;
  int threads = 1;
  std::uint64_t seed = 0;
};

// Hears after each tree how many there are and the root of the mean squared error on what is learned;
// growing ends when it says false.
using WatchGrowth = std::function<bool(int trees, double error)>;

// Nothing when it was ended. One label a row, and one weight unless all count the same.
std::optional<Forest> grow_forest(const Table& table, std::span<const float> labels,
                                  const ForestOptions& options, const WatchGrowth& watch,
                                  std::span<const float> weights = {});

// The same trees, filled up to `depth` with splits whose sides are alike.
Forest forest_of(const Booster& booster, std::size_t columns, int depth);

}  // namespace hone::score
