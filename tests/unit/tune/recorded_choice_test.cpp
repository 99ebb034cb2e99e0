#include "tune/recorded_choice.h"

#include <gtest/gtest.h>

#include <map>

#include "small_network.h"

namespace hone::tune {
namespace {

// Times by the number of a task in the plan.
class RecordedChoiceTest : public testing::Test {
 protected:
  static constexpr double kOther = 100;

  Recorded chosen(const std::map<int, double>& recorded_s, const std::map<int, double>& expected_s) {
    const auto find = [&](const std::map<int, double>& times, const task::Task& task) {
      for (const auto& [number, seconds] : times) {
        if (plan_.tasks[static_cast<std::size_t>(number)].get() == &task) return std::optional(seconds);
      }
      return std::optional<double>();
    };
    return choose_recorded(
        plan_, 0, [&](const task::Task& task) { return find(recorded_s, task); },
        [&](const task::Task& task) { return find(expected_s, task).value_or(kOther); });
  }
  // Tasks 0, 1, 2: direct, Winograd2, Winograd4.
  const Plan plan_ = plan_networks({small_network()}, {});
};

TEST_F(RecordedChoiceTest, WithoutRecordsOnlyAClearEstimateCounts) {
  EXPECT_EQ(chosen({}, {{0, 10}, {1, 9.5}, {2, 9.2}}).alternatives[0], 0);
  EXPECT_EQ(chosen({}, {{0, 10}, {1, 6}, {2, 5}}).alternatives[0], 2);
  EXPECT_EQ(chosen({}, {{0, 10}, {1, 5}, {2, 6}}).alternatives[0], 1);
}

TEST_F(RecordedChoiceTest, RecordsSayMoreThanEstimates) {
  EXPECT_EQ(chosen({{0, 3}}, {{0, 10}, {2, 1}}).alternatives[0], 0);
  EXPECT_EQ(chosen({{0, 3}, {1, 2.9}}, {{0, 10}, {2, 1}}).alternatives[0], 1);
}

TEST_F(RecordedChoiceTest, LayoutsGoByTheEstimateWhereNothingWasMeasured) {
  const int first = plan_.choices[2].alternatives[0].task;
  EXPECT_EQ(chosen({}, {{first, 1}}).options, (std::vector{0, 0, 0})) << "conversions take 100";
  std::map<int, double> expected;
  for (int t = 0; t < 5; ++t) expected[t] = 1000;
  for (int t = 5; t < 10; ++t) expected[t] = 400;
  EXPECT_EQ(chosen({}, expected).options, (std::vector{1, 1, 1}));
  EXPECT_EQ(chosen({{0, 900}}, expected).options[0], 0) << "measured in one layout only";
}

}  // namespace
}  // namespace hone::tune
