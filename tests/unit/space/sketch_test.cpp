#include "space/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"
#include "task/text.h"
#include "tests/unit/space/machines.h"

namespace hone::space {
namespace {

using schedule::to_json;
using TaskPtr = std::shared_ptr<const task::Task>;

TaskPtr from_op(const std::string& op) { return std::make_shared<const task::Task>(task::from_op(op)); }
TaskPtr from_text(const std::string& dag, std::vector<task::OpFacts> facts = {}) {
  return std::make_shared<const task::Task>(task::parse(dag, {"", std::move(facts)}));
}
TaskPtr matmul() { return from_op("matmul:m=64,n=64,k=64"); }

struct Counts {
  std::size_t cpu, gpu;
  bool operator==(const Counts&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Counts& counts) {
  return out << counts.cpu << " on a CPU, " << counts.gpu << " on a GPU";
}
Counts counts_of(const TaskPtr& task) {
  return {sketches(task, four_cores()).size(), sketches(task, volta()).size()};
}

// Whether the sketch means something: with every length chosen, each stage is computed where all of its
// readers can see it.
void expect_legal(const TaskPtr& task, Sketch sketch) {
  for (schedule::Step& step : sketch.steps) {
    if (auto* split = std::get_if<schedule::Split>(&step)) {
      for (auto& length : split->lengths) length = length.value_or(1);
    }
  }
  EXPECT_NO_THROW({
    schedule::State state = schedule::replay(task, sketch.steps);
    schedule::infer_bounds(state);
  }) << to_json(sketch.steps);
}
void expect_all_legal(const TaskPtr& task) {
  for (const Hardware& hardware : {four_cores(), volta()}) {
    const std::vector<Sketch> made = sketches(task, hardware);
    EXPECT_FALSE(made.empty());
    for (const Sketch& sketch : made) expect_legal(task, sketch);
  }
}

// The numbers that TVM's own tests ask for.
TEST(SketchCounts, AreTvmsForAMatmul) {
  EXPECT_EQ(counts_of(from_op("matmul:m=512,n=512,k=512")), (Counts{3, 1}));
}
TEST(SketchCounts, AreTvmsForALongReduction) {
  EXPECT_EQ(sketches(from_op("matmul:m=8,n=8,k=512"), four_cores()).size(), 5U);
  EXPECT_EQ(sketches(from_op("matmul:m=8,n=8,k=1024"), volta()).size(), 2U);
}
TEST(SketchCounts, AreTvmsForTwoMatmuls) {
  const TaskPtr task = from_text(
      "A = PLACEHOLDER [512, 512]\n"
      "B = PLACEHOLDER [512, 512]\n"
      "C(i, j) += (A[i, k]*B[k, j])\n"
      "D = PLACEHOLDER [512, 512]\n"
      "E(i, j) += (C[i, k]*D[k, j])\n");
  EXPECT_EQ(counts_of(task), (Counts{9, 1}));
}
TEST(SketchCounts, AreTvmsForAConvolutionWithItsTail) {
  EXPECT_EQ(counts_of(from_op("conv2d:ci=512,hw=7,co=512,k=3,p=1+bias+relu")), (Counts{3, 1}));
}
TEST(SketchCounts, AreTvmsForWinograd) {
  EXPECT_EQ(counts_of(from_op("winograd:ci=128,hw=28,co=128,p=1,form=direct")), (Counts{3, 1}));
}
TEST(SketchCounts, AreTvmsForAPool) {
  EXPECT_EQ(counts_of(from_op("max_pool:ci=512,hw=56,k=2")), (Counts{1, 1}));
}
TEST(SketchCounts, AreTvmsForTheLeastOfARow) {
  EXPECT_EQ(counts_of(from_text("A = PLACEHOLDER [10, 1024]\nB(i) min= A[i, k]\n")), (Counts{3, 2}));
}
TEST(SketchCounts, AreTvmsForSoftmax) {
  EXPECT_EQ(counts_of(from_op("softmax:rows=2,cols=1024")), (Counts{9, 4}));
  EXPECT_EQ(counts_of(from_op("softmax:rows=1536,cols=128")), (Counts{9, 4}));
}
TEST(SketchCounts, AreTvmsForASumOfEverything) {
  task::OpFacts sum;
  sum.name = "B";
  sum.reduce = {{"k", 128}};
  const TaskPtr task = from_text("A = PLACEHOLDER [128]\nB() += A[k]\n", {{"A", {128}, {}}, sum});
  EXPECT_EQ(counts_of(task), (Counts{3, 2}));
}

TEST(Sketch, IsLegalForEveryOperator) {
  for (const task::OperatorHelp& op : task::catalogue()) {
    SCOPED_TRACE(op.example);
    expect_all_legal(from_op(op.example));
  }
}

TEST(Sketch, FollowsTheStructureThatIsAskedFor) {
  const std::vector<Sketch> made = sketches(matmul(), four_cores(), {.structure = "SRS", .rules = {}});
  ASSERT_EQ(made.size(), 2U);  // in place, and in a cache whose copy follows the one leading level
  EXPECT_EQ(to_json(made[0].steps),
            "[[\"SP\", 2, 0, 64, [0], 1], [\"SP\", 2, 2, 64, [0], 1], [\"RE\", 2, [0, 2, 4, 1, 3]]]");
  EXPECT_EQ(to_json({made[1].steps.back()}), "[[\"CA\", 2, 3, 1]]");
}

// Everything in one tile: there is no level in which a reader could follow.
TEST(Sketch, OfOneLevelSplitsNothing) {
  for (const Hardware& hardware : {four_cores(), volta()}) {
    for (const Sketch& sketch : sketches(matmul(), hardware, {.structure = "SR", .rules = {}})) {
      EXPECT_TRUE(std::ranges::none_of(sketch.steps, [](const schedule::Step& step) {
        return std::holds_alternative<schedule::Split>(step);
      }));
    }
  }
}

TEST(Sketch, RefusesAStructureWithUnknownLetters) {
  EXPECT_THROW(sketches(matmul(), four_cores(), {.structure = "SSRT", .rules = {}}), UserError);
  EXPECT_THROW(sketches(matmul(), four_cores(), {.structure = "SS", .rules = {}}), UserError);
}

TEST(Sketch, KeepsAxesWholeThatTheAuthorWantsWhole) {
  task::Task task = task::from_op("conv2d:ci=8,hw=8,co=8,k=3");
  task.ops.back().hints.no_split_at_inner = {"ry", "rx"};
  const std::vector<Sketch> made =
      sketches(std::make_shared<const task::Task>(std::move(task)), four_cores());
  const auto& steps = made.front().steps;
  ASSERT_EQ(steps.size(), 6U);  // a split for each of n, c, y, x and rc, and the order
  const auto& order = std::get<schedule::Reorder>(steps.back()).order;
  // rc.0 after two levels of four, then a level of four, ry, rx and rc.1.
  EXPECT_EQ(order[8], 16);
  EXPECT_EQ(std::vector(order.begin() + 13, order.begin() + 16), (std::vector{18, 19, 17}));
}

// A reader that already follows one producer cannot follow another.
TEST(Sketch, OfASumOfTwoMatmulsFusesOneOfThem) {
  const TaskPtr task = from_text(
      "A = PLACEHOLDER [64, 64]\n"
      "B = PLACEHOLDER [64, 64]\n"
      "C(i, j) += (A[i, k]*B[k, j])\n"
      "D = PLACEHOLDER [64, 64]\n"
      "E(i, j) += (A[i, k]*D[k, j])\n"
      "F(i, j) = (C[i, j] + E[i, j])\n");
  expect_all_legal(task);
}

// The tensor's other reader is elementwise: it has no loop of a reduction to put a copy into.
TEST(Sketch, CopiesAnOperandOnlyForThoseThatReduce) {
  const TaskPtr task = from_text(
      "A = PLACEHOLDER [64, 64]\n"
      "B = PLACEHOLDER [64, 64]\n"
      "C(i, j) += (A[i, k]*B[k, j])\n"
      "D(i, j) = (C[i, j] + A[i, j])\n");
  const std::vector<Sketch> made = sketches(task, volta());
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(std::ranges::count_if(made[0].steps,
                                  [](const schedule::Step& step) {
                                    return std::holds_alternative<schedule::CacheRead>(step);
                                  }),
            2);
}

// The second reduction follows the first one's reader, so the first cannot follow the second.
TEST(Sketch, OfReductionsInAChainIsLegalOnAGpu) {
  const TaskPtr task = from_text(
      "A = PLACEHOLDER [8, 64, 64]\n"
      "B(i, j) += A[i, j, k]\n"
      "C(i) max= B[i, j]\n"
      "D(i) = tir.sqrt(C[i])\n");
  EXPECT_EQ(sketches(task, volta()).size(), 4U);
  expect_all_legal(task);
}

TEST(Sketch, AsksTheUsersRulesFirst) {
  int asked_about = -1;
  Rule rule{.name = "first",
            .condition =
                [&](const Site& site) {
                  if (asked_about < 0) asked_about = site.stage;
                  return Answer::Only;
                },
            .apply = [](const Site& site) { return std::vector<Draft>{{site.state, -1}}; }};
  const std::vector<Sketch> made = sketches(matmul(), four_cores(), {.structure = "", .rules = {rule}});
  EXPECT_EQ(asked_about, 2);
  ASSERT_EQ(made.size(), 1U);
  EXPECT_TRUE(made.front().steps.empty());
}

TEST(Sketch, RefusesRulesThatNeverEnd) {
  const Rule again{
      .name = "again",
      .condition = [](const Site&) { return Answer::Only; },
      .apply = [](const Site& site) { return std::vector<Draft>{{site.state, site.stage}}; }};
  EXPECT_THROW(sketches(matmul(), four_cores(), {.structure = "", .rules = {again}}), UserError);
}

TEST(Sketch, RefusesARuleThatLeavesTheTask) {
  const Rule beyond{.name = "beyond",
                    .condition = [](const Site&) { return Answer::Only; },
                    .apply = [](const Site& site) { return std::vector<Draft>{{site.state, 3}}; }};
  EXPECT_THROW(sketches(matmul(), four_cores(), {.structure = "", .rules = {beyond}}), UserError);
}

}  // namespace
}  // namespace hone::space
