#include "task/ops/strassen.h"

#include <gtest/gtest.h>

namespace hone::task::ops {
namespace {

// Quarter (row, column) of the result is the sum over s of those (row, s) and (s, column) of the
// factors, and all other products of quarters cancel.
TEST(Strassen, SevenProductsMakeTheEight) {
  const StrassenMatrices& m = strassen_matrices();
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      for (std::size_t c = 0; c < 4; ++c) {
        double times = 0;
        for (std::size_t p = 0; p < kStrassenProducts; ++p)
          times += m.left[a][p] * m.right[p][b] * m.result[p][c];
        const bool is_wanted = a / 2 == c / 2 && a % 2 == b / 2 && b % 2 == c % 2;
        EXPECT_EQ(times, is_wanted ? 1 : 0) << a << b << c;
      }
    }
  }
}

}  // namespace
}  // namespace hone::task::ops
