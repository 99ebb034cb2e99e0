#include "worker/task_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.h"
#include "worker/inputs.h"

namespace hone::worker {
namespace {

// A 3 x 5 constant and an output of 4 elements.
Prepare small_task() {
  Prepare task;
  task.buffers = {{"W", ir::Scalar::F32, {3, 5}, 15, Role::Constant},
                  {"C", ir::Scalar::F32, {4}, 4, Role::Output}};
  task.tolerances = {0, 0};
  task.seed = 5;
  return task;
}

Code packed(std::vector<PackedDim> dims) {
  Code code;
  code.packing = {{std::move(dims)}, {}};
  return code;
}

// Rows in tiles of two, columns innermost; the second tile's second row is padding.
TEST(TaskMemory, PacksToTheTileGridWithZerosPastTheEnd) {
  TaskMemory memory(small_task());
  const auto* values =
      static_cast<float*>(memory.arguments(packed({{0, 2, 2}, {1, 5, 1}, {0, 2, 1}}))[0]);
  for (int tile = 0; tile < 2; ++tile) {
    for (int column = 0; column < 5; ++column) {
      for (int row = 0; row < 2; ++row) {
        const int original = tile * 2 + row;
        const double expected =
            original < 3 ? random_value(5, 0, original * 5 + column, ir::Scalar::F32) : 0.0;
        EXPECT_EQ(values[(tile * 5 + column) * 2 + row], expected)
            << tile << ' ' << column << ' ' << row;
      }
    }
  }
}

TEST(TaskMemory, PacksRowsThatDoNotDivide) {
  TaskMemory memory(small_task());
  const auto* values =
      static_cast<float*>(memory.arguments(packed({{0, 3, 1}, {1, 2, 4}, {1, 4, 1}}))[0]);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 8; ++column) {
      const double expected = column < 5 ? random_value(5, 0, row * 5 + column, ir::Scalar::F32) : 0.0;
      EXPECT_EQ(values[row * 8 + column], expected);
    }
  }
}

TEST(TaskMemory, KeepsAPackingUntilAnotherIsAskedFor) {
  TaskMemory memory(small_task());
  const Code one = packed({{1, 5, 1}, {0, 3, 1}});
  void* first = memory.arguments(one)[0];
  EXPECT_NE(memory.arguments({})[0], first);
  EXPECT_EQ(memory.arguments(one)[0], first);
  const Code outside = packed({{2, 5, 1}});
  EXPECT_THROW(memory.arguments(outside), InternalError);
}

TEST(TaskMemory, PoisonShowsWhatWasNotWritten) {
  TaskMemory memory(small_task());
  Code code;
  code.scratch_bytes = 100;
  const auto* scratch = static_cast<float*>(memory.scratch(code));
  auto* output = static_cast<float*>(memory.arguments(code)[1]);
  std::memset(output, 0, 16);
  memory.keep_as_reference();
  EXPECT_EQ(memory.wrong_answer(), "");
  memory.poison();
  EXPECT_TRUE(std::isnan(output[3]));
  EXPECT_TRUE(std::isnan(scratch[24]));
  EXPECT_EQ(memory.wrong_answer(), "C[0] is -nan, not 0");
}

TEST(TaskMemory, NamesDamagedNeighbourhoods) {
  TaskMemory memory(small_task());
  Code code;
  code.scratch_bytes = 100;
  auto* scratch = static_cast<char*>(memory.scratch(code));
  EXPECT_EQ(memory.damage(), "");
  scratch[100] = 0;
  EXPECT_EQ(memory.damage(), "wrote out of bounds, behind scratch");
}

TEST(TaskMemory, RefusesSamplesOutsideOfBuffers) {
  Prepare task = small_task();
  task.samples = {{1, 4, 0.0}};
  EXPECT_THROW(TaskMemory{task}, InternalError);
}

}  // namespace
}  // namespace hone::worker
