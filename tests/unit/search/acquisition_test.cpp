#include "search/acquisition.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"

namespace hone::search {
namespace {

double worth(Acquisition acquisition, const Prediction& prediction, std::optional<double> best) {
  const Prediction* const one[] = {&prediction};
  return worths(acquisition, one, best, 0).front();
}

TEST(Acquisition, GreedIsTheScoreOfWhatMayFail) {
  EXPECT_DOUBLE_EQ(worth(Acquisition::Greedy, {.score = 0.8, .spread = 9}, 0.5), 0.8);
  EXPECT_DOUBLE_EQ(worth(Acquisition::Greedy, {.score = 0.8, .valid = 0.5}, 0.5), 0.4);
  EXPECT_DOUBLE_EQ(worth(Acquisition::Greedy, {.score = -2, .valid = 0.5}, 0.5), -3);
}

TEST(Acquisition, ImprovementFollowsTheNormalDistribution) {
  const auto improvement = [](double score, double spread) {
    return worth(Acquisition::ExpectedImprovement, {.score = score, .spread = spread}, 1.0);
  };
  EXPECT_NEAR(improvement(1, 1), 0.39894228, 1e-8);  // the density at 0
  EXPECT_NEAR(improvement(2, 1), 1.08331547, 1e-8);  // normal(1) + below(1)
  EXPECT_NEAR(improvement(0, 1), 0.08331547, 1e-8);
  EXPECT_GT(improvement(0.8, 0.5), improvement(0.9, 0.1));  // the less certain point may be better
  EXPECT_DOUBLE_EQ(worth(Acquisition::ExpectedImprovement, {.score = 0.3, .spread = 1}, std::nullopt),
                   0.3);
}

TEST(Acquisition, ImprovementOfASureModelIsGreed) {
  const Prediction low{.score = 0.3}, high{.score = 0.4};  // both below the best
  const Prediction* const both[] = {&low, &high};
  EXPECT_EQ(worths(Acquisition::ExpectedImprovement, both, 1.0, 0), (std::vector{0.3, 0.4}));
}

TEST(Acquisition, ThompsonDrawsWithMeanAndSpread) {
  const Prediction prediction{.score = 3, .spread = 2};
  const std::vector<const Prediction*> many(20'000, &prediction);
  const std::vector<double> draws = worths(Acquisition::Thompson, many, std::nullopt, 1);
  const double n = static_cast<double>(draws.size());
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / n;
  double squares = 0;
  for (const double draw : draws) squares += (draw - mean) * (draw - mean);
  EXPECT_NEAR(mean, 3, 0.05);
  EXPECT_NEAR(squares / n, 4, 0.15);
  EXPECT_NE(draws, worths(Acquisition::Thompson, many, std::nullopt, 2));
}

TEST(Acquisition, HasNames) {
  EXPECT_EQ(acquisition_from_name("greedy"), Acquisition::Greedy);
  EXPECT_EQ(acquisition_from_name("improvement"), Acquisition::ExpectedImprovement);
  EXPECT_EQ(acquisition_from_name("thompson"), Acquisition::Thompson);
  EXPECT_THROW(acquisition_from_name("greed"), UserError);
}

}  // namespace
}  // namespace hone::search
