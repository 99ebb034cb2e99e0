// Random expressions keep their value under simplification, and what is said about them is true.
#include <gtest/gtest.h>

#include "ir/interval.h"
#include "ir/print.h"
#include "ir/simplify.h"
#include "random_expr.h"

namespace hone::ir {
namespace {

void check_meaning(RandomExpr& random, const Expr& e) {
  const Expr simple = simplify(e, random.ranges());
  const Interval range = bounds(e, random.ranges());
  ASSERT_EQ(simple.type(), e.type()) << print(e);
  for (int sample = 0; sample < 20; ++sample) {
    const Environment at = random.point();
    for (int lane = 0; lane < e.type().lanes; ++lane) {
      const std::int64_t value = evaluate(e, at, lane);
      ASSERT_EQ(evaluate(simple, at, lane), value) << print(e) << "\nbecame " << print(simple);
      ASSERT_TRUE(within(ir::point(value), range))
          << print(e) << " is " << value << " outside of [" << range.min << ", " << range.max << "]";
    }
  }
}

TEST(SimplifyProperty, IndicesKeepTheirValueAndStayInTheirBounds) {
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomExpr random(seed);
    ASSERT_NO_FATAL_FAILURE(check_meaning(random, random.index(1 + static_cast<int>(seed % 5))));
  }
}

TEST(SimplifyProperty, ConditionsKeepTheirValueAndDecideNeverLies) {
  for (unsigned seed = 0; seed < 10000; ++seed) {
    RandomExpr random(seed);
    const Expr condition = random.condition(1 + static_cast<int>(seed % 4));
    ASSERT_NO_FATAL_FAILURE(check_meaning(random, condition));
    const std::optional<bool> answer = decide(condition, random.ranges());
    if (answer) {
      ASSERT_EQ(evaluate(condition, random.point()) != 0, *answer) << print(condition);
    }
  }
}

TEST(SimplifyProperty, VectorsKeepEveryLane) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    RandomExpr random(seed);
    ASSERT_NO_FATAL_FAILURE(check_meaning(random, random.vector(1 + static_cast<int>(seed % 3))));
  }
}

TEST(SimplifyProperty, SimplifyingTwiceChangesNothing) {
  int unstable = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    RandomExpr random(seed);
    const Expr once = simplify(random.index(3), random.ranges());
    unstable += !simplify(once, random.ranges()).same(once);
  }
  EXPECT_EQ(unstable, 0);
}

}  // namespace
}  // namespace hone::ir
