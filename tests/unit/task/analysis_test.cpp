#include "task/analysis.h"

#include <gtest/gtest.h>

#include "task/text.h"

namespace hone::task {
namespace {

// A task with its analysis; ops are asked for by name.
struct Analysed {
  Task task;
  Analysis facts;

  explicit Analysed(const std::string& text, const std::string& key = "")
      : task(parse(text, {key, {}})), facts(analyse(task)) {}
  std::size_t at(const std::string& name) const {
    for (std::size_t i = 0; i < task.ops.size(); ++i) {
      if (task.ops[i].name() == name) return i;
    }
    throw std::out_of_range(name);
  }
  bool inlineable(const std::string& name) const { return facts.is_strictly_inlineable[at(name)]; }
  bool tiled(const std::string& name) const { return facts.needs_multi_level_tiling[at(name)]; }
  bool matches(const std::string& op, const std::string& target) const {
    return elementwise_match(task, facts, static_cast<int>(at(op)), static_cast<int>(at(target)));
  }
  int common(const std::string& a, const std::string& b) const {
    return facts.common_outer[at(a)][at(b)];
  }
};

const std::string kConvBlock =
    "X = PLACEHOLDER [1, 8, 8, 4]\n"
    "pad(n, y, x, c) = tir.if_then_else(((((y >= 1) && (y < 9)) && (x >= 1)) && (x < 9)), X[n, (y - "
    "1), (x - 1), c], "
    "0f)\n"
    "W = PLACEHOLDER [3, 3, 4, 16]\n"
    "conv(n, y, x, c) += (pad[n, (y + ry), (x + rx), rc]*W[ry, rx, rc, c])\n"
    "bias = PLACEHOLDER [16]\n"
    "add(n, y, x, c) = (conv[n, y, x, c] + bias[c])\n"
    "relu(n, y, x, c) = max(add[n, y, x, c], 0f)\n";

TEST(Analysis, AConvolutionIsTiledAndItsEpilogueInlined) {
  const Analysed conv(kConvBlock);
  EXPECT_TRUE(conv.tiled("conv"));
  EXPECT_FALSE(conv.tiled("pad"));
  EXPECT_FALSE(conv.tiled("add"));
  EXPECT_FALSE(conv.inlineable("conv"));
  EXPECT_FALSE(conv.inlineable("pad"));  // it branches
  EXPECT_TRUE(conv.inlineable("add"));
  EXPECT_FALSE(conv.inlineable("X"));
  EXPECT_TRUE(conv.facts.is_simple_access[conv.at("pad")]);
  EXPECT_FALSE(conv.facts.is_simple_access[conv.at("conv")]);
  EXPECT_TRUE(conv.facts.is_output[conv.at("relu")]);
  EXPECT_FALSE(conv.facts.is_output[conv.at("add")]);
  EXPECT_EQ(conv.facts.read_by[conv.at("conv")], std::vector<int>{static_cast<int>(conv.at("add"))});
}

TEST(Analysis, ElementwiseMatchFollowsTheOnlyConsumer) {
  const Analysed conv(kConvBlock);
  EXPECT_TRUE(conv.matches("conv", "relu"));
  EXPECT_TRUE(conv.matches("relu", "relu"));
  EXPECT_FALSE(conv.matches("pad", "relu"));
  EXPECT_FALSE(conv.matches("bias", "relu"));
  const Analysed two_readers(
      "A = PLACEHOLDER [4]\nB(i) = (A[i] + 1f)\nC(i) = (B[i]*2f)\nD(i) = (B[i] + C[i])\n");
  EXPECT_FALSE(two_readers.matches("B", "D"));
  EXPECT_TRUE(two_readers.matches("C", "D"));
}

TEST(Analysis, CommonOuterIteratorsAreThoseOfTheWorstHop) {
  const Analysed conv(kConvBlock);
  EXPECT_EQ(conv.common("conv", "relu"), 4);
  EXPECT_EQ(conv.common("relu", "conv"), 4);
  EXPECT_EQ(conv.common("pad", "conv"), 1);  // n; y has another extent
  EXPECT_EQ(conv.common("pad", "relu"), 1);
  EXPECT_EQ(conv.common("bias", "add"), 0);
  EXPECT_EQ(conv.common("W", "bias"), 0);
}

TEST(Analysis, TransposeAndExpAreNotStrictlyInlined) {
  const Analysed ops(
      "A = PLACEHOLDER [4, 8]\nT(i, j) = A[j, i]\nE(i, j) = tir.exp(T[i, j])\nH(i, j) = tir.tanh(E[i, "
      "j])\n"
      "S(i) = (H[i, 0] + H[i, 1])\n");
  EXPECT_FALSE(ops.inlineable("T"));
  EXPECT_TRUE(ops.facts.is_simple_access[ops.at("T")]);
  EXPECT_FALSE(ops.inlineable("E"));
  EXPECT_TRUE(ops.inlineable("H"));
  EXPECT_TRUE(ops.inlineable("S"));
}

TEST(Analysis, ConstantsAreInlinedThoughTheyBranch) {
  const Analysed ops("A = PLACEHOLDER [2]\nc(i) = select((i == 0), 1f, 2f)\nB(i) = (A[i]*c[i])\n");
  EXPECT_TRUE(ops.inlineable("c"));
}

TEST(Analysis, WhoeverLacksAnAxisTwiceIsTiled) {
  EXPECT_TRUE(
      Analysed("A = PLACEHOLDER [4]\nB = PLACEHOLDER [8]\nC(i, j) = (A[i] + B[j])\n").tiled("C"));
  EXPECT_FALSE(
      Analysed("A = PLACEHOLDER [4, 8]\nB = PLACEHOLDER [8]\nC(i, j) = (A[i, j] + B[j])\n").tiled("C"));
  EXPECT_FALSE(Analysed("A = PLACEHOLDER [4, 8]\nC(i) += A[i, k]\n").tiled("C"));
  // Axes of extent 1 do not count.
  EXPECT_FALSE(Analysed("A = PLACEHOLDER [1, 8]\nB = PLACEHOLDER [1, 8]\nC(i) += (A[i, k]*B[0, k])\n")
                   .tiled("C"));
}

TEST(Analysis, FlopCountsWhatHasTheTypeOfTheResult) {
  const auto flop = [](const std::string& text) { return flop_count(parse(text)); };
  EXPECT_EQ(flop("A = PLACEHOLDER [4, 8]\nB = PLACEHOLDER [8, 2]\nC(i, j) += (A[i, k]*B[k, j])\n"),
            4 * 2 * 8 * 2);
  EXPECT_EQ(flop("A = PLACEHOLDER [16]\nB(i) = tir.exp((A[i] - 1f))\n"), 16);
  // Padding is all index arithmetic; if_then_else counts both branches, select the costlier one.
  EXPECT_EQ(flop("A = PLACEHOLDER [16]\nB(i) = tir.if_then_else((i < 8), A[i], 0f)\nC(i) = B[i]\n"), 0);
  EXPECT_EQ(
      flop("A = PLACEHOLDER [16]\nB(i) = tir.if_then_else((A[i] < 8f), (A[i] + 1f), (A[i] + 2f))\n"),
      48);
  EXPECT_EQ(flop("A = PLACEHOLDER [16]\nB(i) = select((A[i] < 8f), (A[i] + 1f), (A[i] + 2f))\n"), 32);
}

TEST(Analysis, FlopHintWins) {
  Task task = parse("A = PLACEHOLDER [16]\nB(i) = (A[i]*2f)\n");
  task.ops.back().hints.flop = 5;
  EXPECT_EQ(flop_count(task), 5);
}

}  // namespace
}  // namespace hone::task
