#include "measure/expectation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/clock.h"
#include "task/catalogue.h"
#include "worker/inputs.h"

namespace hone::measure {
namespace {

std::set<std::int64_t> elements_of(const TaskData& data) {
  std::set<std::int64_t> elements;
  for (const worker::Sample& sample : data.samples) elements.insert(sample.element);
  return elements;
}

TEST(Expectation, SmallTasksAreComputedWhole) {
  const task::Task task = task::from_op("matmul:m=5,n=7,k=11");
  const TaskData data = expectations(task, {.seed = 3});
  ASSERT_EQ(data.samples.size(), 35u);
  for (const worker::Sample& sample : data.samples) {
    const std::int64_t row = sample.element / 7, column = sample.element % 7;
    double sum = 0;
    for (std::int64_t k = 0; k < 11; ++k) {
      sum += worker::random_value(3, 0, row * 11 + k, ir::Scalar::F32) *
             worker::random_value(3, 1, k * 7 + column, ir::Scalar::F32);
    }
    EXPECT_EQ(sample.buffer, 2);
    EXPECT_NEAR(sample.expected, sum, 1e-12);
  }
}

TEST(Expectation, LargeTasksAreSampledWithTheirCorners) {
  const task::Task task = task::from_op("matmul:m=300,n=500,k=64");
  const TaskData data = expectations(task);
  const std::set<std::int64_t> elements = elements_of(data);
  EXPECT_EQ(elements.size(), 400u);
  EXPECT_EQ(data.samples.size(), 400u);
  for (const std::int64_t corner : {0, 499, 299 * 500, 300 * 500 - 1})
    EXPECT_TRUE(elements.contains(corner));
}

TEST(Expectation, CountsTheTermsOfAllOps) {
  EXPECT_EQ(reduction_length(task::from_op("matmul:m=4,n=4,k=100+bias+relu")), 100);
  EXPECT_EQ(reduction_length(task::from_op("conv2d:n=1,ci=8,hw=10,co=4,k=3,s=1,p=1,layout=nhwc")), 72);
  EXPECT_GE(reduction_length(task::from_op("softmax:rows=4,cols=10")), 20);
}

TEST(Expectation, WeightsAreConstants) {
  const std::vector<worker::BufferSpec> buffers = buffers_of(task::from_op("matmul:m=4,n=5,k=6"));
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[0].role, worker::Role::Input);
  EXPECT_EQ(buffers[1].role, worker::Role::Constant);
  EXPECT_EQ(buffers[2].role, worker::Role::Output);
  EXPECT_EQ(buffers[2].elements, 20);
}

// Sums of 576 products are about 8, and the sigmoid makes 0 or 1 of them: where one is near 0, 8 times
// the error shows.
TEST(Expectation, ErrorsOfSumsThatAreSquashedStay) {
  const auto allowed = [](const std::string& op) {
    return expectations(task::from_op(op)).tolerances.back();
  };
  const double plain = allowed("matmul:m=32,n=32,k=576+bias");
  EXPECT_NEAR(allowed("matmul:m=32,n=32,k=576+bias+sigmoid") / plain, 8 / std::sqrt(0.5), 1);
  EXPECT_LT(allowed("matmul:m=32,n=32,k=576+bias+gelu") / plain, 1.6) << "large sums stay large";
}

// A layer of a real network, as every tuned task is begun: it must not be felt.
TEST(Expectation, ALayerTakesASecondAtMost) {
  const task::Task task =
      task::from_op("conv2d:n=1,ci=128,hw=28,co=128,k=3,s=1,p=1,layout=nhwc+bias+relu");
  const double start = now_s();
  EXPECT_GE(expectations(task).samples.size(), 400u);
  EXPECT_LT(now_s() - start, 3) << "three times what it takes, for a busy machine";
}

}  // namespace
}  // namespace hone::measure
