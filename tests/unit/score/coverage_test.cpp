#include "score/coverage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace hone::score {
namespace {

// Errors of a normal distribution of which the model says that it is `said` times as wide as it is.
std::vector<TaskClaims> claims(double said) {
  std::vector<TaskClaims> tasks(20);
  Random random(5, 0);
  for (TaskClaims& task : tasks) {
    for (int i = 0; i < 500; ++i) {
      const double width = 0.1 + random.unit();
      const double error = width * std::sqrt(-2 * std::log(1 - random.unit())) *
                           std::cos(2 * std::numbers::pi * random.unit());
      task.push_back({.said = 1, .spread = said * width, .measured = 1 + error});
    }
  }
  return tasks;
}

TEST(Coverage, OfADoubtThatIsRightIsTheLevel) {
  const std::vector<double> shares = coverage(claims(1));
  ASSERT_EQ(shares.size(), kLevels.size());
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_NEAR(shares[i], kLevels[i], 0.02);
  EXPECT_LT(expected_calibration_error(claims(1)), 0.02);
}

TEST(Coverage, IsJudgedByItsDefinition) {
  // Two tasks count alike, whatever their size: of the first none is ever within, of the second all.
  const std::vector<TaskClaims> tasks = {
      {{.said = 0, .spread = 0, .measured = 1}},
      {{.said = 2, .spread = 1, .measured = 2}, {.said = 3, .spread = 1, .measured = 3}},
      {}};
  for (const double share : coverage(tasks)) EXPECT_EQ(share, 0.5);
  EXPECT_NEAR(expected_calibration_error(tasks), (0.4 + 0.3 + 0.2 + 0.1) * 2 / 9, 1e-12);
  EXPECT_TRUE(coverage({}).empty());
  EXPECT_EQ(expected_calibration_error({}), 0);
  EXPECT_EQ(fit_spread_scale({}), 1);
}

TEST(Coverage, TheScaleUndoesADoubtThatIsTooSmallOrTooLarge) {
  for (const double said : {0.1, 0.5, 3.0}) {
    const std::vector<TaskClaims> tasks = claims(said);
    EXPECT_GT(expected_calibration_error(tasks), 0.1) << said;
    const double scale = fit_spread_scale(tasks);
    EXPECT_NEAR(scale * said, 1, 0.06) << said;
    EXPECT_LT(expected_calibration_error(tasks, scale), 0.02) << said;
  }
}

}  // namespace
}  // namespace hone::score
