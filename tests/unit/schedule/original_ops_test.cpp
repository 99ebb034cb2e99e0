// Stages that steps add, and the ops that they work for.
#include "schedule/original_ops.h"

#include <gtest/gtest.h>

#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::schedule {
namespace {

std::vector<int> ops_after(const std::string& op, const std::string& steps) {
  const auto task = std::make_shared<const task::Task>(task::from_op(op));
  return original_ops(replay(task, steps_from_json(steps)));
}

TEST(OriginalOps, AreTheStagesThemselvesUntilStepsAddSome) {
  EXPECT_EQ(ops_after("matmul:m=8,n=8,k=8+relu", R"([["SP", 2, 0, 8, [2], 1]])"),
            (std::vector<int>{0, 1, 2, 3}));
}

TEST(OriginalOps, WhatIsTakenOutOfAStageWorksForItsOp) {
  EXPECT_EQ(ops_after("matmul:m=8,n=8,k=8", R"([["CHW", 2, "local"]])"),
            (std::vector<int>{0, 1, 2, 2}));
  EXPECT_EQ(ops_after("matmul:m=8,n=8,k=8+relu", R"([["SP", 2, 2, 8, [2], 1], ["RF", 2, 3, 2]])"),
            (std::vector<int>{0, 1, 2, 2, 3}));
}

TEST(OriginalOps, ACopyWorksForItsReader) {
  EXPECT_EQ(
      ops_after("matmul:m=8,n=8,k=8", R"([["CHR", 1, "global", [2]], ["CHR", 0, "global", [3]]])"),
      (std::vector<int>{0, 2, 1, 2, 2}));
}

}  // namespace
}  // namespace hone::schedule
