// Runs without trials.
#include <gtest/gtest.h>

#include "fakes.h"

namespace hone::tune {
namespace {

TEST_F(SessionTest, WithoutTrialsTheFirstByRankIsTakenThoughItIsSlower) {
  options_.trials = 0;
  const Summary summary = tune([](int number) { return takes(number == 0 ? 1e-3 : 2e-3); });
  EXPECT_EQ(std::vector<int>(measured_.begin(), measured_.begin() + 2), (std::vector<int>{0, 1}));
  EXPECT_EQ(summary.ranked, 1);
  EXPECT_EQ(summary.best_steps, R"([["CI", 1]])");
  EXPECT_DOUBLE_EQ(summary.best_s(), 2e-3);
  EXPECT_DOUBLE_EQ(summary.finals->speedup(), 0.5);
  EXPECT_NE(to_json(summary).find(R"("ranked": true)"), std::string::npos) << to_json(summary);
}

TEST_F(SessionTest, WithoutTrialsWhatDoesNotWorkIsPassedOver) {
  options_.trials = 0;
  const Summary summary = tune([](int number) {
    return number == 1 || number == 2 ? fails(measure::Status::WrongAnswer, "off") : takes(1e-3);
  });
  EXPECT_EQ(summary.best_steps, R"([["CI", 3]])");
  EXPECT_EQ(summary.progress.failed(), 2);
}

TEST_F(SessionTest, WithoutTrialsWhatWasMeasuredEarlierCounts) {
  options_.trials = 10;
  tune([](int number) { return takes(number == 5 ? 1e-3 : 2e-3); });
  options_.trials = 0;
  const Summary summary = tune([](int number) { return takes(number == 5 ? 1e-3 : 2e-3); });
  EXPECT_EQ(summary.ranked, -1);
  EXPECT_EQ(summary.best_steps, R"([["CI", 5]])");
  EXPECT_EQ(summary.progress.trials, 10);
}

}  // namespace
}  // namespace hone::tune
