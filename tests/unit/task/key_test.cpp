#include "task/key.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "task/catalogue.h"
#include "task/text.h"

namespace hone::task {
namespace {

std::string canonical(const std::string& text) { return canonical_key(parse(text)); }

TEST(Key, TvmKeyEndsInTheShapesOfInputsAndOutput) {
  const std::string key =
      tvm_key(parse("A = PLACEHOLDER [4, 8]\nB = PLACEHOLDER [8, 2]\n"
                    "C(i, j) += (A[i, k]*B[k, j])\n"));
  EXPECT_TRUE(key.ends_with(", [4, 8], [8, 2], [4, 2]]")) << key;
  EXPECT_EQ(sizes_in_key(key), (std::vector<std::int64_t>{4, 8, 8, 2, 4, 2}));
}

TEST(Key, TvmKeyKnowsNamesButNoSizes) {
  const auto digest = [](const std::string& text) { return tvm_key(parse(text)).substr(0, 36); };
  const std::string one = digest("A = PLACEHOLDER [4]\nB(i) = (A[i] + 1f)\n");
  EXPECT_EQ(digest("A = PLACEHOLDER [8]\nB(i) = (A[i] + 1f)\n"), one);
  EXPECT_NE(digest("X = PLACEHOLDER [4]\nB(i) = (X[i] + 1f)\n"), one);
}

TEST(Key, OlderAndForeignKeys) {
  EXPECT_EQ(sizes_in_key(R"(["0123456789abcdef0123456789abcdef", 4, 8, 4])"),
            (std::vector<std::int64_t>{4, 8, 4}));
  EXPECT_EQ(sizes_in_key(R"(["matmul_layer", 4, 8, 4])"), std::nullopt);
  EXPECT_EQ(sizes_in_key("0123456789abcdef0123456789abcdef"), std::nullopt);
  EXPECT_THROW(sizes_in_key(R"(["0123456789abcdef0123456789abcdef", [4, )"), UserError);
  EXPECT_THROW(sizes_in_key(R"(["0123456789abcdef0123456789abcdef", [-4]])"), UserError);
}

TEST(Key, CanonicalKeyForgetsNames) {
  EXPECT_EQ(
      canonical("A = PLACEHOLDER [4, 8]\nB = PLACEHOLDER [8, 2]\nC(i, j) += (A[i, k]*B[k, j])\n"),
      canonical("X = PLACEHOLDER [4, 8]\nW = PLACEHOLDER [8, 2]\nY(n, c) += (X[n, r]*W[r, c])\n"));
}

TEST(Key, CanonicalKeyForgetsStageOrder) {
  const std::string a = "A = PLACEHOLDER [4]\n", b = "B = PLACEHOLDER [4]\n";
  const std::string x = "X(i) = (A[i]*2f)\n", y = "Y(i) = (B[i]*3f)\n", z = "Z(i) = (X[i] - Y[i])\n";
  EXPECT_EQ(canonical(a + b + y + x + z), canonical(a + x + b + y + z));
}

TEST(Key, CanonicalKeyForgetsTheOrderOfOutputs) {
  const std::string a = "A = PLACEHOLDER [4]\n";
  const std::string x = "X(i) = (A[i]*2f)\n", y = "Y(i) = (A[i]*3f)\n";
  EXPECT_EQ(canonical(a + x + y), canonical(a + y + x));
  EXPECT_NE(canonical(a + x + y), canonical(a + x));
}

TEST(Key, CanonicalKeyTellsComputationsApart) {
  const std::string square = "A = PLACEHOLDER [4, 4]\nC(i, j) += (A[i, k]*A[k, j])\n";
  const std::string product =
      "A = PLACEHOLDER [4, 4]\nB = PLACEHOLDER [4, 4]\nC(i, j) += (A[i, k]*B[k, j])\n";
  EXPECT_NE(canonical(square), canonical(product));
  EXPECT_NE(canonical("A = PLACEHOLDER [4]\nB(i) = (A[i] + 1f)\n"),
            canonical("A = PLACEHOLDER [5]\nB(i) = (A[i] + 1f)\n"));
  EXPECT_NE(canonical("A = PLACEHOLDER [4]\nB(i) = A[i]\n"),
            canonical("A = PLACEHOLDER [4] float16\nB(i) = A[i]\n"));
  EXPECT_NE(canonical("A = PLACEHOLDER [4, 4]\nB(i) += A[i, k]\n"),
            canonical("A = PLACEHOLDER [4, 4]\nB(i) max= A[i, k]\n"));
  EXPECT_NE(canonical("A = PLACEHOLDER [4]\nB(i) = (A[i]*0.1f)\n"),
            canonical("A = PLACEHOLDER [4]\nB(i) = (A[i]*0.10000001f)\n"));
}

TEST(Key, CatalogueTasksHaveOneKeyEach) {
  const std::string key = canonical_key(from_op("matmul:m=64,n=32,k=16+bias"));
  EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(canonical_key(from_op("matmul:m=64,n=32,k=16+bias")), key);
  EXPECT_NE(canonical_key(from_op("matmul:m=64,n=32,k=16")), key);
}

Likeness of(const std::string& op) { return likeness(from_op(op)); }

TEST(Likeness, TasksThatDifferInNumbersOnlyAreOfOneStructure) {
  const Likeness one = of("conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1+bias+relu");
  const Likeness other = of("conv2d:n=1,ci=128,hw=28,co=96,k=5,s=1,p=2+bias+relu");
  EXPECT_EQ(one.structure, other.structure) << "borders are written as numbers";
  EXPECT_NE(one, other);
  EXPECT_EQ(distance(one.sizes, one.sizes), 0);
  EXPECT_GT(distance(one.sizes, other.sizes), 0);
}

TEST(Likeness, NamesAreNoPartOfIt) {
  EXPECT_EQ(likeness(parse("A = PLACEHOLDER [4]\nB(i) = (A[i] + 1f)\n")),
            likeness(parse("X = PLACEHOLDER [4]\nY(k) = (X[k] + 2f)\n")));
}

TEST(Likeness, OtherComputationsAndConstantOperandsAreOfOtherStructures) {
  const std::string product = of("matmul:m=64,n=64,k=64").structure;
  EXPECT_NE(of("matmul:m=64,n=64,k=64+relu").structure, product);
  EXPECT_NE(of("conv2d:n=1,ci=64,hw=56,co=64,k=3,s=2,p=1").structure,
            of("conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1").structure);
  Task free = from_op("matmul:m=64,n=64,k=64");
  for (Op& op : free.ops) op.hints.layout_free.clear();
  EXPECT_NE(likeness(free).structure, product);
}

TEST(Likeness, DistanceCountsDoublings) { EXPECT_DOUBLE_EQ(distance({8, 16, 3}, {16, 4, 3}), 3); }

}  // namespace
}  // namespace hone::task
