#include "task/readable_key.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "task/text.h"

namespace hone::task {
namespace {

std::string text_of(const char* key) {
  const auto task = from_readable_key(key);
  return task ? print(*task) : "";
}

TEST(ReadableKey, ConvolutionsAlwaysHaveAStageForPadding) {
  EXPECT_EQ(text_of(R"(["conv2d_layer", 8, 64, 14, 14, 32, 1, 1, 2, "SAME"])"),
            "data = PLACEHOLDER [8, 64, 14, 14]\n"
            "pad_temp(i0, i1, i2, i3) = data[i0, i1, i2, i3]\n"
            "kernel = PLACEHOLDER [32, 64, 1, 1]\n"
            "compute(nn, ff, yy, xx) += (pad_temp[nn, rc, ((yy*2) + ry), ((xx*2) + rx)]*kernel[ff, rc, "
            "ry, rx])\n");
}

TEST(ReadableKey, SamePaddingHasItsLargerPartInFront) {
  const auto task =
      from_readable_key(R"(["depthwise_conv2d_layer", 8, 42, 165, 165, 5, 4, 2, "SAME"])");
  ASSERT_TRUE(task.has_value());
  EXPECT_EQ(task->ops[1].output()->shape, (std::vector<std::int64_t>{8, 42, 169, 168}));
  EXPECT_EQ(task->ops[3].output()->shape, (std::vector<std::int64_t>{8, 42, 83, 83}));
  EXPECT_NE(print(*task).find("data[i0, i1, (i2 - 2), (i3 - 2)]"), std::string::npos) << print(*task);
}

TEST(ReadableKey, PoolsPadOnlyWhereTheyMust) {
  EXPECT_EQ(text_of(R"(["pool_layer", "avg", 8, 64, 42, 42, 1, 1, 2, "VALID"])"),
            "data = PLACEHOLDER [8, 64, 42, 42]\n"
            "pool_sum(ax0, ax1, ax2, ax3) += data[ax0, ax1, ((ax2*2) + rv0), ((ax3*2) + rv1)]\n"
            "pool_avg(ax0, ax1, ax2, ax3) = (pool_sum[ax0, ax1, ax2, ax3]/1f)\n");
  EXPECT_EQ(from_readable_key(R"(["pool_layer", "max", 8, 64, 42, 42, 3, 3, 2, "SAME"])")->ops.size(),
            3U);
}

TEST(ReadableKey, TheRestOfTheFunctions) {
  EXPECT_EQ(text_of(R"(["matmul_layer", 16, 1024, 4096])"),
            "A = PLACEHOLDER [16, 1024]\n"
            "B = PLACEHOLDER [1024, 4096]\n"
            "matmul(i, j) += (A[i, k]*B[k, j])\n");
  EXPECT_EQ(text_of(R"(["relu_layer", 4, 8])"),
            "data = PLACEHOLDER [4, 8]\n"
            "compute(i0, i1) = max(data[i0, i1], 0f)\n");
  EXPECT_EQ(text_of(R"(["reduction_layer", [128, 2048, 7, 7], [2, 3], false])"),
            "data = PLACEHOLDER [128, 2048, 7, 7]\n"
            "data_red(ax0, ax1) += data[ax0, ax1, k2, k3]\n");
  EXPECT_EQ(text_of(R"(["reduction_layer", [65536, 1024], 1, false])"),
            "data = PLACEHOLDER [65536, 1024]\n"
            "data_red(ax0) += data[ax0, k1]\n");
}

TEST(ReadableKey, CallsOfOtherKindsAreNobodysTask) {
  for (const char* key :
       {R"(["unheard_of", 1, 2])", R"(["conv2d_layer", 1, 7, 7, 512, 512, 3, 3, [1, 1], [1, 1]])",
        R"(["matmul_layer", 1, 2])", R"(["pool_layer", "min", 8, 64, 42, 42, 1, 1, 2, "VALID"])",
        R"(["00a059b856ac30ac172b6252254479a6", [1, 512], [1, 1000]])", "no list", R"(["relu_layer"])",
        R"(["reduction_layer", [8, 8], [2], false])"}) {
    EXPECT_FALSE(from_readable_key(key).has_value()) << key;
  }
  EXPECT_THROW(from_readable_key(R"(["pool_layer", "max", 8, 64, 2, 2, 3, 3, 1, "VALID"])"), UserError);
}

}  // namespace
}  // namespace hone::task
