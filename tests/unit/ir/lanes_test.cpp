#include "ir/lanes.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::ir {
namespace {

TEST(Lanes, EveryLaneIsWorkedOutOnItsOwn) {
  const Expr x = variable("x", kF32), n = variable("n", {Scalar::I32});
  const Expr body =
      select(x < float_imm(0), cast(kF32, n * int_imm(2, {Scalar::I32})), call(Function::Sqrt, {x}));
  const std::vector<Expr> variables = {x, n};
  for (const std::int32_t lanes : {1, 2, 7}) {
    LaneEvaluator evaluator(variables, body, lanes);
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(lanes); ++i) {
        const auto number = static_cast<std::int64_t>(i) + round;
        evaluator.operand(0)[i].f = number % 2 == 0 ? -1.0 : static_cast<double>(number * number);
        evaluator.operand(1)[i].i = 10 + number;
      }
      const auto values = evaluator.run();
      for (std::size_t i = 0; i < static_cast<std::size_t>(lanes); ++i) {
        const auto number = static_cast<std::int64_t>(i) + round;
        EXPECT_EQ(values[i].f, static_cast<double>(number % 2 == 0 ? 2 * (10 + number) : number));
      }
    }
  }
}

TEST(Lanes, ConstantsAndVariablesAreBodiesToo) {
  const Expr x = variable("x", kF32);
  const std::vector<Expr> variables = {x};
  LaneEvaluator same(variables, x, 3), constant(variables, int_imm(5), 3);
  same.operand(0)[2].f = 1.5;
  EXPECT_EQ(same.run()[2].f, 1.5);
  EXPECT_EQ(constant.run()[2].i, 5);
}

TEST(Lanes, DividingByZeroIsAMistakeInTheValues) {
  const Expr x = variable("x");
  const std::vector<Expr> variables = {x};
  LaneEvaluator evaluator(variables, Expr(6) / x, 2);
  evaluator.operand(0)[0].i = evaluator.operand(0)[1].i = 2;
  EXPECT_EQ(evaluator.run()[1].i, 3);
  evaluator.operand(0)[1].i = 0;
  EXPECT_THROW(evaluator.run(), UserError);
}

}  // namespace
}  // namespace hone::ir
