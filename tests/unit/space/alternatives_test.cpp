// What steps could be instead: each alternative can be applied and differs in its step.
#include "space/alternatives.h"

#include <gtest/gtest.h>

#include <set>

#include "machines.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "space/space.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

using schedule::Steps;

std::shared_ptr<const task::Task> matmul() {
  return std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=16,k=16"));
}

std::set<std::string> values_at(std::size_t step, const char* json) {
  std::set<std::string> out;
  for (const Alternative& other :
       alternatives(matmul(), schedule::steps_from_json(json), Hardware::Kind::Cpu))
    if (other.step == step)
      out.insert((other.is_undone ? "undone " : "") + schedule::to_json({other.steps[step]}));
  return out;
}

TEST(Alternatives, SplitsMoveAFactorOrAreUndone) {
  EXPECT_EQ(
      values_at(0, R"([["SP", 2, 0, 64, [4, 1], 1]])"),
      (std::set<std::string>{R"([["SP", 2, 0, 64, [2, 1], 1]])", R"([["SP", 2, 0, 64, [2, 2], 1]])",
                             R"([["SP", 2, 0, 64, [8, 1], 1]])", R"([["SP", 2, 0, 64, [4, 2], 1]])",
                             R"(undone [["SP", 2, 0, 64, [1, 1], 1]])"}));
}

TEST(Alternatives, AnnotationsLimitsAndOrders) {
  const char* const steps =
      R"([["RE", 2, [1, 0, 2]], ["AN", 2, 0, 3], ["PR", 2, 0, "auto_unroll_max_step$16"]])";
  EXPECT_EQ(values_at(0, steps),
            (std::set<std::string>{R"(undone [["RE", 2, [0, 1, 2]]])", R"([["RE", 2, [1, 2, 0]]])"}));
  EXPECT_EQ(values_at(1, steps), (std::set<std::string>{R"(undone [["AN", 2, 0, 0]])"}));
  EXPECT_EQ(values_at(2, steps).size(), 3U);
}

// Loops behind those that are fused have other numbers when fewer are.
TEST(Alternatives, WhatFollowsAFuseKeepsItsLoops) {
  const Steps steps = schedule::steps_from_json(
      R"([["SP", 2, 1, 16, [8], 1], ["FU", 2, [0, 1]], ["AN", 2, 0, 3], ["AN", 2, 1, 2]])");
  bool is_found = false;
  for (const Alternative& other : alternatives(matmul(), steps, Hardware::Kind::Cpu)) {
    if (other.step != 1 || !other.is_undone) continue;
    is_found = true;
    const schedule::State state = schedule::replay(matmul(), other.steps);
    const std::vector<schedule::Iterator>& iters = state.stages[2].iters;
    ASSERT_EQ(iters.size(), 4U);
    EXPECT_EQ(iters[0].annotation, ir::LoopKind::Parallel);
    EXPECT_EQ(iters[2].annotation, ir::LoopKind::Vectorized) << "it was the inner part of j";
  }
  EXPECT_TRUE(is_found);
}

TEST(Alternatives, OfRandomProgramsCanAllBeApplied) {
  for (const char* op :
       {"conv2d:n=1,ci=8,hw=14,co=16,k=3,s=1,p=1+bias+relu", "softmax:rows=32,cols=64"}) {
    const auto task = std::make_shared<const task::Task>(task::from_op(op));
    for (const Hardware& hardware : {four_cores(), volta()}) {
      const Space space = ansor_space(task, sketches(task, hardware), hardware);
      Random random(3, 0);
      const auto decisions = space.sample(random);
      ASSERT_TRUE(decisions);
      const Steps steps = *space.decode(*decisions);
      const std::vector<Alternative> others = alternatives(task, steps, hardware.kind);
      EXPECT_GT(others.size(), steps.size() / 2);
      for (const Alternative& other : others) {
        EXPECT_NE(other.steps[other.step], steps[other.step]);
        for (std::size_t i = 0; i < other.step; ++i) EXPECT_EQ(other.steps[i], steps[i]);
        schedule::State state = schedule::replay(task, other.steps);
        EXPECT_NO_THROW(schedule::infer_bounds(state));
      }
    }
  }
}

}  // namespace
}  // namespace hone::space
