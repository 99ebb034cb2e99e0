#include "schedule/state.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::schedule {
namespace {

std::shared_ptr<const task::Task> task(std::string_view op) {
  return std::make_shared<const task::Task>(task::from_op(op));
}

// Stages: 0 A, 1 B, 2 C, 3 relu.
State matmul_relu(std::string_view steps) {
  return replay(task("matmul:m=512,n=512,k=512+relu"), steps_from_json(steps));
}

std::string refusal(std::string_view op, std::string_view steps) {
  try {
    State state = replay(task(op), steps_from_json(steps));
    infer_bounds(state);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}
std::string refusal(std::string_view steps) { return refusal("matmul:m=512,n=512,k=512+relu", steps); }

using Lengths = std::vector<std::optional<std::int64_t>>;

TEST(State, TilesFuseAndFollow) {
  State state = matmul_relu(R"([["SP",2,0,512,[4,2,8],1], ["SP",2,4,512,[2,4,4],1],
      ["SP",2,8,512,[4],1], ["RE",2,[0,4,1,5,8,2,6,9,3,7]], ["FSP",3,0,0,2], ["FSP",3,3,1,2],
      ["RE",3,[0,3,1,4,2,5]], ["CA",2,3,3], ["FU",3,[0,1,2]], ["AN",3,0,3],
      ["PR",2,0,"auto_unroll_max_step$64"], ["AN",2,9,2], ["AN",3,3,2]])");
  infer_bounds(state);
  EXPECT_EQ(print(state), R"(Placeholder: A, B
parallel i.0@j.0@i.1@ (0,512)
  for j.1 (0,2)
    C auto_unroll: 64
    for k.0 (0,128)
      for i.2 (0,2)
        for j.2 (0,4)
          for k.1 (0,4)
            for i.3 (0,8)
              vectorize j.3 (0,4)
                C = ...
    for i.2 (0,16)
      vectorize j.2 (0,16)
        relu = ...
)");
}

TEST(State, ExtentsAreUnknownOnceAStageMoves) {
  const State state = matmul_relu(R"([["CA", 2, 3, 0]])");
  for (const Iterator& iter : state.stages[2].iters) EXPECT_FALSE(iter.extent);
}

TEST(State, AnOpenLengthLeavesTheRestOpen) {
  const State state = matmul_relu(R"([["SP", 2, 0, 512, [0, 8], 1]])");
  const auto& iters = state.stages[2].iters;
  EXPECT_FALSE(iters[0].extent);
  EXPECT_FALSE(iters[1].extent);
  EXPECT_EQ(iters[2].extent, 8);
}

TEST(State, SplitsThatDoNotDivideRoundUp) {
  const State by_factor = matmul_relu(R"([["SP", 2, 0, 512, [3, 100], 1]])");
  EXPECT_EQ(by_factor.stages[2].iters[0].extent, 2);  // 512 = 6 * 100 - 88, 6 = 2 * 3
  const State by_parts = matmul_relu(R"([["SP", 2, 0, 512, [100, 4], 0]])");
  EXPECT_EQ(by_parts.stages[2].iters[2].extent, 2);  // 512 in 100 parts of 6, 6 in 4 parts of 2
}

TEST(State, NewStagesRenumberThoseBehind) {
  // The cache of C is stage 2, C itself 3, relu 4; then B's copy is 2 and all move on by one.
  const State state =
      matmul_relu(R"([["CHW", 2, "local"], ["CA", 2, 4, 1], ["CHR", 1, "shared", [2]]])");
  ASSERT_EQ(state.stages.size(), 6U);
  EXPECT_EQ(state.stages[2].name, "B.shared");
  EXPECT_EQ(state.stages[3].name, "C.local");
  EXPECT_EQ(state.stages[3].attach_stage, 5);
  EXPECT_EQ(state.stages[5].name, "relu");
  EXPECT_EQ(state.task->producer(state.task->ops[4].output()), 4);
}

TEST(State, ACacheIsReadByThoseWhoAskedOnly) {
  const auto whole = task("softmax:rows=4,cols=8");
  const State state = replay(whole, steps_from_json(R"([["CHR", 0, "shared", [1]]])"));
  EXPECT_EQ(state.task->ops.size(), whole->ops.size() + 1);
  const auto reads = [&](std::size_t op, std::size_t producer) {
    bool found = false;
    ir::visit(state.task->ops[op].body.front(), [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      found = found || (load != nullptr && load->buffer == state.task->ops[producer].output());
    });
    return found;
  };
  EXPECT_TRUE(reads(2, 1));  // the maximum reads the copy
  EXPECT_FALSE(reads(2, 0));
  EXPECT_TRUE(reads(3, 0));  // the exponential still reads the input
}

TEST(State, TheCallersTaskIsNeverChanged) {
  const auto whole = task("matmul:m=8,n=8,k=8");
  const std::size_t n_ops = whole->ops.size();
  State first = replay(whole, steps_from_json(R"([["CHW", 2, "local"]])"));
  const State second = first;
  apply(first, CacheRead{0, "shared", {2}});
  EXPECT_EQ(whole->ops.size(), n_ops);
  EXPECT_EQ(second.task->ops.size(), n_ops + 1);
  EXPECT_EQ(first.task->ops.size(), n_ops + 2);
}

TEST(State, FactoredReductionHasANewAxis) {
  State state = replay(task("matmul:m=4,n=4,k=1000"), steps_from_json(R"([["SP", 2, 2, 1000, [64], 1],
      ["RF", 2, 3, 1]])"));
  infer_bounds(state);
  EXPECT_EQ(print(state), R"(Placeholder: A, B
for i (0,4)
  for k_i (0,64)
    for j (0,4)
      for k_o (0,16)
        C.rf = ...
for ax0 (0,4)
  for ax1 (0,4)
    for k_i_v (0,64)
      C.repl = ...
)");
}

TEST(State, FactoringForgetsTheSplitsOfOtherAxes) {
  const State state = replay(task("norm:b=2,m=3,n=4"), steps_from_json(R"([["SP", 1, 2, 4, [3], 1],
      ["RF", 1, 1, 1]])"));
  const task::Op& partial = state.task->ops[1];
  EXPECT_EQ(partial.reduce_axes.size(), 1);
  EXPECT_EQ(partial.body.front().as<ir::Select>(), nullptr);  // no split is left to go past an end
}

TEST(State, FactoringTakesFusedAxesTogether) {
  // j.0 and i.0 are fused, so neither axis can be reduced over by itself any more.
  const State state = replay(task("norm:b=2,m=3,n=4"), steps_from_json(R"([["SP", 1, 2, 4, [2], 1],
      ["SP", 1, 1, 3, [1], 1], ["RE", 1, [0, 3, 1, 2, 4]], ["FU", 1, [1, 2]], ["RF", 1, 3, 1]])"));
  const task::Op& partial = state.task->ops[1];
  ASSERT_EQ(partial.reduce_axes.size(), 2);  // the fused loop and i.1
  EXPECT_EQ(partial.reduce_axes[0].extent, 6);
  EXPECT_EQ(partial.reduce_axes[1].extent, 1);
}

TEST(State, AlignmentPrintsItsOffset) {
  const State state = matmul_relu(R"([["SA", 2, 0, 32, 8]])");
  EXPECT_NE(print(state).find("C storage_offset: 8"), std::string::npos);
}

TEST(State, APrefetchedOperandKeepsItsNumberWhenStagesAreAdded) {
  const State state = matmul_relu(R"([["PF", 2, 2, 1, 16], ["CHR", 0, "global", [2]]])");
  EXPECT_EQ(state.stages[3].ahead.at(0).operand, 2);
  EXPECT_NE(print(state).find("C prefetch: B 16\n"), std::string::npos) << print(state);
}

TEST(State, AttachedStagesFollowTheirLoop) {
  const State split = matmul_relu(R"([["CA", 2, 3, 0], ["SP", 3, 0, 512, [8], 1]])");
  EXPECT_EQ(split.stages[2].attach_iter, 1);
  const State fused = matmul_relu(R"([["CA", 2, 3, 1], ["FU", 3, [0, 1]]])");
  EXPECT_EQ(fused.stages[2].attach_iter, 0);
  const State reordered = matmul_relu(R"([["CA", 2, 3, 0], ["RE", 3, [1, 0]]])");
  EXPECT_EQ(reordered.stages[2].attach_iter, 1);
}

TEST(State, RefusalsNameTheStepAndTheReason) {
  EXPECT_EQ(refusal(R"([["CI", 3], ["AN", 7, 0, 3]])"),
            "step 1 (AN): there is no stage 7: the state has 4");
  EXPECT_EQ(refusal(R"([["SP", 0, 0, 512, [4], 1]])"),
            "step 0 (SP): stage 0 (A) is an input and has no loops");
  EXPECT_EQ(refusal(R"([["SP", 2, 3, 512, [4], 1]])"), "step 0 (SP): C has no iterator 3: it has 3");
  EXPECT_EQ(refusal(R"([["AN", 2, 0, 3], ["AN", 2, 0, 2]])"),
            "step 1 (AN): i is already annotated (parallel)");
  EXPECT_EQ(refusal(R"([["FU", 2, [0, 2]]])"),
            "step 0 (FU): only neighbouring iterators can be fused, outermost first");
  EXPECT_EQ(refusal(R"([["CA", 2, 3, 0], ["FU", 3, [0, 1]]])"),
            "step 1 (FU): a stage is computed at iterator 0, which is not the last of the fused");
  EXPECT_EQ(refusal(R"([["RE", 2, [0, 0, 1]]])"), "step 0 (RE): iterator 0 stands twice in the order");
  EXPECT_EQ(refusal(R"([["FSP", 3, 0, 0, 2]])"),
            "step 0 (FSP): step 0 to be followed is no earlier split");
  EXPECT_EQ(refusal(R"([["CA", 3, 3, 0]])"), "step 0 (CA): relu cannot be computed inside itself");
  EXPECT_EQ(refusal(R"([["CA", 2, 3, 0], ["CA", 3, 2, 0]])"),
            "step 1 (CA): relu cannot be computed inside itself");
  EXPECT_EQ(refusal(R"([["CI", 2]])"), "step 0 (CI): C cannot be inlined: it is a reduction");
  EXPECT_EQ(refusal(R"([["CHR", 0, "texture", [2]]])"),
            "step 0 (CHR): unknown memory scope \"texture\"");
  EXPECT_EQ(refusal(R"([["CHR", 0, "shared", [3]]])"), "step 0 (CHR): relu does not read A");
  EXPECT_EQ(refusal(R"([["SP", 2, 0, 512, [4], 1], ["CHW", 2, "local"]])"),
            "step 1 (CHW): C must be cached before its loops are changed");
  EXPECT_EQ(refusal(R"([["RF", 2, 0, 0]])"),
            "step 0 (RF): C cannot be factored: the iterator is no reduction");
  EXPECT_EQ(
      refusal("norm:b=2,m=3,n=4", R"([["RE", 1, [1, 0, 2]], ["FU", 1, [0, 1]], ["RF", 1, 1, 0]])"),
      "step 2 (RF): C cannot be factored: loops that are no reduction were split or fused before");
  EXPECT_EQ(refusal(R"([["PR", 2, 0, "unroll"]])"), "step 0 (PR): unknown pragma \"unroll\"");
}

TEST(State, PrefetchesOfNothingAreRefused) {
  EXPECT_EQ(refusal(R"([["PF", 2, 2, 9, 16]])"), "step 0 (PF): there is no stage 9");
  EXPECT_EQ(refusal(R"([["PF", 2, 2, 1, 0]])"), "step 0 (PF): 0 iterations ahead are not 1 to 4096");
}

TEST(State, AbsurdSizesAreRefused) {
  const std::int64_t huge = std::int64_t{1} << 40;
  State state = matmul_relu("[]");
  EXPECT_THROW(apply(state, Split{2, 0, 512, {huge, huge}, true}), UserError);
  EXPECT_THROW(apply(state, Split{2, 0, 512, Lengths(300, 1), true}), UserError);
}

TEST(State, NamesDoNotGrowWithoutBound) {
  State state = matmul_relu("[]");
  const auto grow = [&] {
    for (int i = 0; i < 100; ++i) {
      apply(state, Split{2, 0, 512, {2}, true});
      apply(state, Fuse{2, {0, 1}});
    }
  };
  EXPECT_THROW(grow(), UserError);
  EXPECT_LT(state.stages[2].iters[0].name.size(), 5000U);
}

TEST(State, ARefusedStepChangesNothing) {
  State state = matmul_relu("[]");
  const std::string before = print(state);
  EXPECT_THROW(apply(state, Split{2, 0, 512, {4, -1}, true}), UserError);
  EXPECT_THROW(apply(state, Reorder{2, {2, 1, 1}}), UserError);
  EXPECT_THROW(apply(state, CacheRead{0, "shared", {}}), UserError);
  EXPECT_EQ(print(state), before);
  EXPECT_TRUE(state.steps.empty());
}

}  // namespace
}  // namespace hone::schedule
