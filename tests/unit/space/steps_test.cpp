// Candidates of the generic structure, lowered and interpreted, against the schedule without steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ir/interpret.h"
#include "lower/nest.h"
#include "lower/optimise.h"
#include "space/panels.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

using TaskPointer = std::shared_ptr<const task::Task>;

std::vector<double> answer(const TaskPointer& task, const schedule::Steps& steps, bool optimise) {
  schedule::State state = schedule::replay(task, steps);
  schedule::infer_bounds(state);
  ir::Program program = lower::nest(state, {});
  if (optimise) program = lower::optimise(std::move(program), target::host());
  std::vector<ir::Tensor> params;
  std::mt19937 random(5);
  for (const ir::Buffer& buffer : program.params) {
    params.push_back(ir::make_tensor(buffer));
    for (std::int64_t i = 0; i < ir::span_elements(*buffer); ++i)
      ir::set(params.back(), i, static_cast<double>(random() % 9) - 4);
  }
  ir::interpret(program, params);
  std::vector<double> values;
  const std::int64_t count = ir::span_elements(*params.back().buffer);
  for (std::int64_t i = 0; i < count; ++i) values.push_back(ir::get(params.back(), i));
  return values;
}

class Steps : public testing::TestWithParam<const char*> {};

TEST_P(Steps, GiveTheAnswerOfThePlainNest) {
  const auto task = std::make_shared<const task::Task>(task::from_op(GetParam()));
  const std::vector<StageRole> roles = structure(*task, task::analyse(*task));
  const std::vector<double> expected = answer(task, {}, false);
  std::mt19937_64 random(3);
  const Draw draw = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (int trial = 0; trial < 4; ++trial) {
    const Choice choice = trial == 0 ? analytic_choice(*task, roles, target::host(), 2)
                                     : random_choice(*task, roles, target::host(), 2, draw);
    const std::vector<double> values = answer(task, steps_for(*task, roles, choice), true);
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], expected[i], 1e-4 * (1 + std::abs(expected[i]))) << trial << ' ' << i;
  }
}

class Panels : public testing::TestWithParam<const char*> {};

TEST_P(Panels, AtEveryPlaceGiveTheAnswerOfThePlainNest) {
  const auto task = std::make_shared<const task::Task>(task::from_op(GetParam()));
  const std::vector<StageRole> roles = structure(*task, task::analyse(*task));
  const auto tiled = std::ranges::find(roles, Role::Tiled, &StageRole::role);
  ASSERT_NE(tiled, roles.end());
  ASSERT_FALSE(tiled->panels.empty());
  const task::Op& op = task->ops[static_cast<std::size_t>(tiled - roles.begin())];
  const std::vector<double> expected = answer(task, {}, false);
  Choice choice = analytic_choice(*task, roles, target::host(), 2);
  Tiling& t = choice.tiled.front();
  std::ranges::fill(t.level1, 2);
  std::ranges::fill(t.reduce, 4);
  for (std::size_t operand = 0; operand < t.panels.size(); ++operand) {
    for (PanelPlace place = kInChunk; place <= in_reduction(op); ++place) {
      t.panels.assign(t.panels.size(), kNoPanel);
      t.panels[operand] = place;
      EXPECT_EQ(answer(task, steps_for(*task, roles, choice), true), expected)
          << operand << " at " << place;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Panels,
                         testing::Values("batch_matmul:b=3,m=13,n=37,k=9,trans=t",
                                         "batch_matmul:b=2,m=7,n=20,k=10+relu",
                                         "transpose_batch_matmul:b=1,seq=20,heads=3,dim=10",
                                         "conv2d:ci=5,hw=9,co=20,k=3,s=2,p=1,layout=nhwc+bias+relu",
                                         "conv2d:ci=4,hw=9,co=6,k=3,p=1,layout=nchw"));

INSTANTIATE_TEST_SUITE_P(Catalogue, Steps,
                         testing::Values("matmul:m=13,n=37,k=9+bias+relu",
                                         "conv2d:ci=5,hw=9,co=20,k=3,s=2,p=1,layout=nhwc+relu",
                                         "depthwise:ci=18,hw=7,k=3,p=1,layout=nhwc",
                                         "winograd:ci=18,hw=7,co=20,p=1",
                                         "winograd:n=2,ci=3,h=5,w=12,co=16,p=1,m=2+bias+relu"));

}  // namespace
}  // namespace hone::space
