#include "schedule/bounds.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::schedule {
namespace {

State bounded(std::string_view op, std::string_view steps) {
  State state = replay(std::make_shared<const task::Task>(task::from_op(op)), steps_from_json(steps));
  infer_bounds(state);
  return state;
}

std::vector<std::int64_t> region_extents(const State& state, int stage) {
  std::vector<std::int64_t> extents;
  for (const Range& range : state.bounds.stages[static_cast<std::size_t>(stage)].region) {
    extents.push_back(range.extent);
  }
  return extents;
}

TEST(Bounds, APaddedInputIsComputedAsFarAsItsReadersGo) {
  // Stages: 0 X, 1 pad, 2 W, 3 conv. Three rows of the input for each row of the result.
  const State state =
      bounded("conv2d:n=1,ci=4,hw=8,co=4,k=3,s=1,p=1,layout=nchw", R"([["CA", 1, 3, 2]])");
  EXPECT_EQ(region_extents(state, 1), (std::vector<std::int64_t>{1, 4, 3, 10}));
}

TEST(Bounds, LoopsShorterThanTheirTileShrink) {
  const State state = bounded("matmul:m=5,n=5,k=5", R"([["SP", 2, 0, 5, [8], 1]])");
  EXPECT_EQ(state.stages[2].iters[0].extent, 1);
  EXPECT_EQ(state.stages[2].iters[1].extent, 5);
}

TEST(Bounds, LoopsOverThreadsKeepTheirLength) {
  const State state = bounded("matmul:m=5,n=5,k=5", R"([["SP", 2, 0, 5, [8], 1], ["AN", 2, 1, 6]])");
  EXPECT_EQ(state.stages[2].iters[1].extent, 8);
}

TEST(Bounds, SharedMemoryServesAllThreadsAndLocalMemoryOne) {
  // C.local at the thread loop of C; A.shared at its reduction loop.
  const State state = bounded("matmul:m=64,n=64,k=64", R"([["CHW", 2, "local"],
      ["SP", 3, 0, 64, [16], 1], ["SP", 3, 2, 64, [4], 1], ["RE", 3, [0, 2, 1, 3]], ["CA", 2, 3, 1],
      ["CHR", 0, "shared", [2]], ["RE", 3, [2, 0, 1]], ["CA", 1, 3, 0], ["FU", 4, [0, 1]], ["SP", 4, 0, 64, [8], 1],
      ["AN", 4, 0, 5], ["AN", 4, 1, 6]])");
  EXPECT_EQ(state.stages[1].name, "A.shared");
  EXPECT_EQ(region_extents(state, 1), (std::vector<std::int64_t>{16, 1}));
  EXPECT_EQ(region_extents(state, 3), (std::vector<std::int64_t>{16, 4, 64}));
}

TEST(Bounds, OpenLengthsHaveNone) {
  EXPECT_THROW(bounded("matmul:m=8,n=8,k=8", R"([["SP", 2, 0, 8, [0], 1]])"), UserError);
}

TEST(Bounds, AStageOutOfItsReadersSightIsRefused) {
  // The exponential is computed inside the row sums, which are not the only ones to read it.
  EXPECT_THROW(bounded("softmax:rows=4,cols=8", R"([["CA", 2, 3, 0]])"), UserError);
  // A result cannot be computed inside a stage that does not read it.
  EXPECT_THROW(bounded("matmul:m=8,n=8,k=8+relu", R"([["CA", 3, 2, 0]])"), UserError);
}

TEST(Bounds, PrivateMemoryIsFilledWhereItsThreadsAre) {
  // Each block would need a C.local of its own, but it is computed before there are blocks.
  EXPECT_THROW(bounded("matmul:m=8,n=8,k=8", R"([["CHW", 2, "local"], ["AN", 3, 0, 5]])"), UserError);
}

}  // namespace
}  // namespace hone::schedule
