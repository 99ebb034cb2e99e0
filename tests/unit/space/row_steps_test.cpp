#include "space/row_steps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ir/interpret.h"
#include "lower/nest.h"
#include "lower/optimise.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"
#include "task/evaluate.h"

namespace hone::space {
namespace {

std::shared_ptr<const task::Task> task_of(const std::string& op) {
  return std::make_shared<const task::Task>(task::from_op(op));
}

std::vector<StageRole> roles_of(const task::Task& task) { return structure(task, task::analyse(task)); }

schedule::State state_of(const std::shared_ptr<const task::Task>& task, const Choice& choice) {
  schedule::State state = schedule::replay(task, steps_for(*task, roles_of(*task), choice));
  schedule::infer_bounds(state);
  return state;
}

TEST(RowSteps, ASumHasPartialResultsInVectors) {
  const auto task = task_of("norm:b=3,m=1,n=64");
  Choice choice;
  choice.rows = {{.lanes = 8, .vectors = 2}, {.lanes = 1}};
  EXPECT_EQ(schedule::print(state_of(task, choice)),
            "Placeholder: A\n"
            "parallel ax0 (0,3)\n"
            "  for j_o (0,4)\n"
            "    for j_i.0 (0,2)\n"
            "      vectorize j_i.1 (0,8)\n"
            "        C.rf = ...\n"
            "  for j_i_v_o (0,2)\n"
            "    vectorize j_i_v_i (0,8)\n"
            "      C.rf = ...\n"
            "  for j_i_v_i_v (0,8)\n"
            "    C.repl = ...\n"
            "parallel b (0,3)\n"
            "  D = ...\n");
}

TEST(RowSteps, AReductionOfRowsToOneHasVectorsOfColumnsInside) {
  const auto task = task_of("max_pool:ci=64,hw=8,k=2,layout=nhwc");
  Choice choice;
  choice.rows = {{.lanes = 16, .vectors = 2}};
  EXPECT_EQ(schedule::print(state_of(task, choice)),
            "Placeholder: X\n"
            "parallel n@y@x@c.0@ (0,32)\n"
            "  for ry (0,2)\n"
            "    for rx (0,2)\n"
            "      for c.1 (0,2)\n"
            "        vectorize c.2 (0,16)\n"
            "          pool = ...\n");
}

TEST(RowSteps, WhatARowNeedsIsComputedWithIt) {
  const auto task = task_of("layer_norm:rows=6,cols=32");
  const std::vector<StageRole> roles = roles_of(*task);
  const int out = static_cast<int>(task->ops.size()) - 1;
  EXPECT_EQ(roles.back().role, Role::Rows);
  for (std::size_t op = 0; op < task->ops.size(); ++op) {
    if (task->ops[op].reducer == task::Reducer::None) continue;
    EXPECT_EQ(roles[op].role, Role::Attached) << task->ops[op].name();
    EXPECT_EQ(roles[op].target, out) << task->ops[op].name();
  }
}

TEST(RowSteps, WindowsAreNoRows) {
  const task::Task pool = task::from_op("max_pool:ci=4,hw=8,k=3,s=1,layout=nchw");
  EXPECT_FALSE(reduces_rows(pool.ops.back()));
  const task::Task norm = task::from_op("norm:m=4,n=8");
  EXPECT_TRUE(reduces_rows(norm.ops[1]));
}

class RowCandidates : public testing::TestWithParam<const char*> {};

// The optimised program, interpreted, against the task's own definition.
TEST_P(RowCandidates, GiveTheTasksAnswer) {
  const auto task = task_of(GetParam());
  const std::vector<StageRole> roles = roles_of(*task);
  std::mt19937 random(1);
  const Draw draw = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % n); };
  std::vector<std::vector<double>> inputs;
  for (const task::Op& op : task->ops) {
    if (!op.is_placeholder()) continue;
    inputs.emplace_back();
    for (std::int64_t i = 0; i < ir::span_elements(*op.output()); ++i)
      inputs.back().push_back(static_cast<double>(random() % 256) / 64 - 2);
  }
  const std::vector<double> expected = task::evaluate(*task, inputs).front();
  for (const char* name : {"avx2", "avx512"}) {
    const target::Target target = target::parse(name);
    for (int trial = 0; trial < 10; ++trial) {
      const Choice choice = trial == 0 ? analytic_choice(*task, roles, target, 1)
                                       : random_choice(*task, roles, target, 1, draw);
      const ir::Program program = lower::optimise(lower::nest(state_of(task, choice)), target);
      std::vector<ir::Tensor> params;
      for (const ir::Buffer& buffer : program.params) params.push_back(ir::make_tensor(buffer));
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t e = 0; e < inputs[i].size(); ++e)
          ir::set(params[i], static_cast<std::int64_t>(e), inputs[i][e]);
      }
      ir::interpret(program, params);
      for (std::size_t e = 0; e < expected.size(); ++e) {
        ASSERT_NEAR(ir::get(params.back(), static_cast<std::int64_t>(e)), expected[e],
                    1e-5 * (1 + std::abs(expected[e])))
            << e << ' ' << schedule::to_json(steps_for(*task, roles, choice));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OddShapes, RowCandidates,
                         testing::Values("softmax:rows=5,cols=37", "softmax:rows=3,cols=130",
                                         "softmax:rows=4,cols=3", "layer_norm:rows=5,cols=37",
                                         "layer_norm:rows=2,cols=192", "norm:b=3,m=5,n=37",
                                         "norm:b=1,m=4,n=130", "elementwise:n=101,fn=gelu",
                                         "max_pool:ci=3,hw=7,k=3,s=2,p=1,layout=nchw"),
                         [](const auto& param) { return "case" + std::to_string(param.index); });

}  // namespace
}  // namespace hone::space
