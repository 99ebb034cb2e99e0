#include "space/factors.h"

#include <gtest/gtest.h>

namespace hone::space {
namespace {

TEST(Factorings, AreAllListsWhoseProductDivides) {
  const std::vector<Lengths> expected = {{1, 1}, {1, 2}, {1, 3}, {1, 6}, {2, 1},
                                         {2, 3}, {3, 1}, {3, 2}, {6, 1}};
  EXPECT_EQ(factorings(6, 2), expected);
  EXPECT_EQ(factorings(1, 3), (std::vector<Lengths>{{1, 1, 1}}));
}

TEST(Factorings, KeepTheInnermostLengthSmall) {
  EXPECT_EQ(factorings(131, 1), (std::vector<Lengths>{{1}}));
  for (const Lengths& lengths : factorings(4096, 3)) EXPECT_LE(lengths.back(), kMaxInnermost);
  // Ways to write 2^9 as four ordered powers of two, the last at most 2^6.
  EXPECT_EQ(factorings(512, 3).size(), 220u - 6 - 3 - 1);
}

TEST(Factorings, OfEqualLoopsAreOneList) {
  Factorings all;
  EXPECT_EQ(all.of(12, 2), all.of(12, 2));
  EXPECT_NE(all.of(12, 2), all.of(12, 3));
}

}  // namespace
}  // namespace hone::space
