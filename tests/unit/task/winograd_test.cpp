#include "task/winograd.h"

#include <gtest/gtest.h>

namespace hone::task {
namespace {

TEST(Winograd, MatricesAreTvms) {
  const WinogradMatrices four = winograd_matrices(4, 3);
  EXPECT_EQ(four.a, (Matrix{{1, 0, 0, 0},
                            {1, -1, 1, -1},
                            {1, 1, 1, 1},
                            {1, 0.5, 0.25, 0.125},
                            {1, -2, 4, -8},
                            {0, 0, 0, 1}}));
  EXPECT_EQ(four.b, (Matrix{{1, 0, 0, 0, 0, 0},
                            {-1.5, 1, -1, -2, 0.5, 1},
                            {-2, -2.5, 0.5, -1, -1, -1.5},
                            {1.5, 0.5, 2.5, 2, -0.5, -2},
                            {1, 1, 1, 1, 1, 1.5},
                            {0, 0, 0, 0, 0, 1}}));
  const WinogradMatrices two = winograd_matrices(2, 3);
  EXPECT_EQ(two.b, (Matrix{{1, 0, 0, 0}, {0, -1, 1, -1}, {-1, 1, 1, 0}, {0, 0, 0, 1}}));
  EXPECT_EQ(two.g, (Matrix{{1, 0, 0}, {0.5, -0.5, 0.5}, {0.5, 0.5, 0.5}, {0, 0, 1}}));
}

}  // namespace
}  // namespace hone::task
