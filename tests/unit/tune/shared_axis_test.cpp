#include "tune/shared_axis.h"

#include <gtest/gtest.h>

#include "schedule/step_json.h"
#include "task/text.h"

namespace hone::tune {
namespace {

// Of a product whose loops are tiles of rows, tiles of columns, and what is in them.
int axis_of(std::string_view order, std::string_view more) {
  const auto task = std::make_shared<const task::Task>(task::parse(
      "A = PLACEHOLDER [64, 32]\nB = PLACEHOLDER [32, 48]\nC(i, j) += (A[i, k]*B[k, j])\n"));
  const std::string steps = R"([["SP", 2, 0, 64, [8], 1], ["SP", 2, 2, 48, [16], 1], ["RE", 2, )" +
                            std::string(order) + "]" + std::string(more) + "]";
  return shared_axis(task, schedule::steps_from_json(steps));
}

constexpr std::string_view kRowsFirst = "[0, 2, 4, 1, 3]", kColumnsFirst = "[2, 0, 4, 1, 3]";
constexpr std::string_view kFused = R"(, ["FU", 2, [0, 1]], ["AN", 2, 0, 3])";

TEST(SharedAxis, IsThatOfTheParallelLoop) {
  EXPECT_EQ(axis_of(kRowsFirst, R"(, ["AN", 2, 0, 3])"), 0);
  EXPECT_EQ(axis_of(kColumnsFirst, R"(, ["AN", 2, 0, 3])"), 1);
}

TEST(SharedAxis, OfFusedLoopsTheSlowestCounts) {
  EXPECT_EQ(axis_of(kRowsFirst, kFused), 0);
  EXPECT_EQ(axis_of(kColumnsFirst, kFused), 1);
}

TEST(SharedAxis, WithoutThreadsThereIsNone) { EXPECT_EQ(axis_of(kRowsFirst, ""), -1); }

}  // namespace
}  // namespace hone::tune
