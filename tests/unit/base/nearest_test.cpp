#include "base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hone {
namespace {

const std::vector<std::string> kWords = {"conv1d", "conv2d", "matmul", "softmax", "m"};

TEST(Nearest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("matmul", "mamtul"), 1u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
}

TEST(Nearest, TakesTheFirstOfEquallyCloseWords) { EXPECT_EQ(nearest("conv", kWords), "conv1d"); }

TEST(Nearest, ForgivesTyposInLongWords) {
  EXPECT_EQ(nearest("soft_max", kWords), "softmax");
  EXPECT_EQ(nearest("mtamul", kWords), "matmul");
}

TEST(Nearest, OffersNothingForWhatResemblesNothing) {
  EXPECT_EQ(nearest("transformer", kWords), std::nullopt);
  EXPECT_EQ(nearest("", kWords), std::nullopt);
  EXPECT_EQ(nearest(std::string(10'000, 'm'), kWords), std::nullopt);
}

TEST(Nearest, DoesNotReplaceEveryLetter) {
  EXPECT_EQ(nearest("x", std::vector<std::string>{"m"}), std::nullopt);
}

TEST(Nearest, HintsAtOneWordOrListsAll) {
  EXPECT_EQ(did_you_mean("conv3d", kWords), "did you mean 'conv1d'?");
  EXPECT_EQ(did_you_mean("transformer", kWords), "one of: conv1d, conv2d, matmul, softmax, m");
}

}  // namespace
}  // namespace hone
