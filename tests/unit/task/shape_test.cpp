#include "task/shape.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "task/text.h"

namespace hone::task {
namespace {

using Sizes = std::vector<std::int64_t>;

struct Extents {
  Sizes shape, reduce;
  friend bool operator==(const Extents&, const Extents&) = default;
};

// The extents of the op `name` in the text, with the key's output when `output` is not empty.
Extents extents_of(const std::string& name, const std::string& text, const std::string& sizes = "") {
  const std::string key = "[\"0123456789abcdef0123456789abcdef\"" + sizes + "]";
  const Task task = parse(text, {sizes.empty() ? "" : key, {}});
  for (const Op& op : task.ops) {
    if (op.name() != name) continue;
    Extents found{op.output()->shape, {}};
    for (const Axis& axis : op.reduce_axes) found.reduce.push_back(axis.extent);
    return found;
  }
  throw UserError("no op " + name);
}

std::string error_of(const std::string& text, const std::string& key = "") {
  try {
    parse(text, {key, {}});
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Shape, AConvolutionFollowsFromTheTextAlone) {
  const std::string text =
      "X = PLACEHOLDER [1, 64, 256]\n"
      "pad(i0, i1, i2) = tir.if_then_else(((i2 >= 1) && (i2 < 257)), X[i0, i1, (i2 - 1)], 0f)\n"
      "W = PLACEHOLDER [128, 64, 3]\n"
      "conv(n, co, i0) += (pad[n, rc, ((i0*2) + rk0)]*W[co, rc, rk0])\n";
  EXPECT_EQ(extents_of("pad", text), (Extents{{1, 64, 258}, {}}));
  EXPECT_EQ(extents_of("conv", text), (Extents{{1, 128, 128}, {64, 3}}));
}

TEST(Shape, PaddingIsAsWideAsReadersReach) {
  const std::string text =
      "X = PLACEHOLDER [1, 9]\n"
      "pad(n, i) = tir.if_then_else((i < 9), X[n, i], 0f)\n"
      "W = PLACEHOLDER [4]\n"
      "conv(n, i) += (pad[n, ((i*3) + k)]*W[k])\n";
  EXPECT_EQ(extents_of("pad", text, ", [1, 9], [4], [1, 3]"), (Extents{{1, 10}, {}}));
  EXPECT_EQ(extents_of("pad", text, ", [1, 9], [4], [1, 4]"), (Extents{{1, 13}, {}}));
}

TEST(Shape, AWindowOverPaddingIsOddWhereItsStrideHidesItsSize) {
  const std::string text =
      "X = PLACEHOLDER [1, 112]\n"
      "pad(n, i) = tir.if_then_else(((i >= 1) && (i < 113)), X[n, i], -1f)\n"
      "pool(n, i) max= pad[n, ((i*2) + r)]\n";
  EXPECT_EQ(error_of(text), "the extent of axis i of pool does not follow from the text");
  const std::string fixed =
      "X = PLACEHOLDER [1, 112]\n"
      "pad(n, i) = tir.if_then_else(((i >= 1) && (i < 113)), X[n, (i - 1)], -1f)\n"
      "pool(n, i) max= pad[n, ((i*2) + r)]\n";
  EXPECT_EQ(extents_of("pool", fixed, ", [1, 112], [1, 56]"), (Extents{{1, 56}, {3}}));
  EXPECT_EQ(extents_of("pad", fixed, ", [1, 112], [1, 56]"), (Extents{{1, 114}, {}}));
}

TEST(Shape, AnUnpaddedWindowIsAsLargeAsFits) {
  const std::string text = "X = PLACEHOLDER [1, 112]\npool(n, i) max= X[n, ((i*2) + r)]\n";
  EXPECT_EQ(extents_of("pool", text, ", [1, 112], [1, 56]"), (Extents{{1, 56}, {2}}));
}

TEST(Shape, AnAverageSaysHowLargeItsWindowIs) {
  const std::string text =
      "X = PLACEHOLDER [1, 15]\n"
      "pool_sum(a, b) += X[a, ((b*2) + r)]\n"
      "pool_avg(a, b) = (pool_sum[a, b]/float32(((min(((b*2) + 1), 14) - (b*2)) + 1)))\n";
  EXPECT_EQ(extents_of("pool_sum", text, ", [1, 15], [1, 7]"), (Extents{{1, 7}, {2}}));
}

TEST(Shape, BlockedLayoutsComeApartIntoDigits) {
  const std::string text =
      "X = PLACEHOLDER [1, 64, 8]\n"
      "data_vec(n, c, h, vc) = X[n, ((c*16) + vc), h]\n"
      "W = PLACEHOLDER [32, 64]\n"
      "kernel_vec(o, c, ci, oi) = W[((o*8) + oi), ((c*16) + ci)]\n"
      "conv(n, o, h, oi) += (data_vec[n, floordiv(ic, 16), h, floormod(ic, 16)]*kernel_vec[o, "
      "floordiv(ic, 16), "
      "floormod(ic, 16), oi])\n"
      "out(n, c, h) = conv[n, floordiv(c, 8), h, floormod(c, 8)]\n";
  const std::string sizes = ", [1, 64, 8], [32, 64], [1, 32, 8]";
  EXPECT_EQ(extents_of("data_vec", text, sizes), (Extents{{1, 4, 8, 16}, {}}));
  EXPECT_EQ(extents_of("kernel_vec", text, sizes), (Extents{{4, 4, 16, 8}, {}}));
  EXPECT_EQ(extents_of("conv", text, sizes), (Extents{{1, 4, 8, 8}, {64}}));
}

TEST(Shape, ADilatedInputEndsWithItsLastElement) {
  const std::string text =
      "X = PLACEHOLDER [4]\n"
      "dilate(i) = tir.if_then_else((floormod(i, 2) == 0), X[floordiv(i, 2)], 0f)\n"
      "pad(i) = tir.if_then_else(((i >= 1) && (i < 8)), dilate[(i - 1)], 0f)\n"
      "W = PLACEHOLDER [3]\n"
      "out(i) += (pad[(i + k)]*W[(2 - k)])\n";
  EXPECT_EQ(extents_of("dilate", text, ", [4], [3], [7]"), (Extents{{7}, {}}));
  EXPECT_EQ(extents_of("out", text, ", [4], [3], [7]"), (Extents{{7}, {3}}));
}

TEST(Shape, ReadsOutsideOfABufferAreRefused) {
  const std::string text = "X = PLACEHOLDER [4]\nY(i) = X[(i + 1)]\n";
  EXPECT_EQ(extents_of("Y", text), (Extents{{3}, {}}));
  EXPECT_EQ(error_of(text, R"(["0123456789abcdef0123456789abcdef", [4], [4]])"),
            "Y reads dimension 0 of X at 1 to 4, but it has 4 elements");
}

TEST(Shape, WhatFollowsFromNothingIsNamed) {
  EXPECT_EQ(error_of("X = PLACEHOLDER [4]\nY(i, j) = X[i]\n"),
            "the extent of axis j of Y does not follow from the text");
}

}  // namespace
}  // namespace hone::task
