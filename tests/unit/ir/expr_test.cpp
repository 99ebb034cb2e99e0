#include "ir/expr.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "ir/print.h"

namespace hone::ir {
namespace {

TEST(Expr, MakersRefuseMixedTypes) {
  const Expr i = variable("i"), f = variable("f", kF32);
  EXPECT_THROW(i + f, InternalError);
  EXPECT_THROW(logical_and(i, i), InternalError);
  EXPECT_THROW(select(i, f, f), InternalError);
  EXPECT_THROW(ramp(f, 1, 4), InternalError);
  EXPECT_THROW(broadcast(broadcast(f, 4), 4), InternalError);
  EXPECT_THROW(cast(kF32, broadcast(i, 4)), InternalError);
  EXPECT_EQ((i < Expr(3)).type(), kBool);
}

TEST(Expr, LiteralsAreBroughtToTheirType) {
  EXPECT_EQ(float_imm(0.1).as<FloatImm>()->value, static_cast<double>(0.1F));
  EXPECT_EQ(int_imm(300, Type{Scalar::U8, 1}).as<IntImm>()->value, 44);
  EXPECT_EQ(print(constant(2, kF32.with_lanes(4))), "broadcast(2f, 4)");
}

TEST(Expr, EqualComparesStructureAndTheIdentityOfVariables) {
  const Expr x = variable("x"), other = variable("x");
  const Buffer a = make_buffer("A", kF32, {4}), b = make_buffer("A", kF32, {4});
  EXPECT_TRUE(equal(x + Expr(1), x + Expr(1)));
  EXPECT_EQ(hash(x + Expr(1)), hash(x + Expr(1)));
  EXPECT_FALSE(equal(x, other));
  EXPECT_FALSE(equal(x + Expr(1), Expr(1) + x));
  EXPECT_FALSE(equal(load(a, {x}), load(b, {x})));
  EXPECT_FALSE(equal(select(x < Expr(1), x, x, true), select(x < Expr(1), x, x, false)));
  EXPECT_FALSE(equal(float_imm(0.0), float_imm(-0.0)));
}

TEST(Expr, SubstituteReplacesVariablesAndKeepsTheRest) {
  const Expr x = variable("x"), y = variable("y");
  const Expr untouched = y * Expr(2);
  const Expr e = x + untouched;
  const Expr replaced = substitute(e, {{x.get(), y - Expr(1)}});
  EXPECT_EQ(print(replaced), "((y - 1) + (y*2))");
  EXPECT_TRUE(replaced.as<Binary>()->b.same(untouched));
  EXPECT_TRUE(substitute(untouched, {{x.get(), y}}).same(untouched));
}

TEST(Expr, SubstitutingARampMakesVectorLoads) {
  const Expr x = variable("x");
  const Expr e = load(make_buffer("A", kF32, {16}), {x});
  EXPECT_EQ(substitute(e, {{x.get(), ramp(0, 1, 8)}}).type(), kF32.with_lanes(8));
}

TEST(Expr, RewriteMapsChildrenFirst) {
  const Expr x = variable("x");
  const Expr e = (x + Expr(1)) + Expr(2);
  const Expr folded = rewrite(e, [](const Expr& part) {
    const auto value = as_int(part);
    return value ? Expr(*value * 10) : part;
  });
  EXPECT_EQ(print(folded), "((x + 10) + 20)");
}

TEST(Expr, VisitSeesEveryPart) {
  const Expr x = variable("x");
  const Buffer a = make_buffer("A", kF32, {4});
  const Expr e = select(x < Expr(2), load(a, {x}), call(Function::Exp, {load(a, {x + Expr(1)})}));
  int loads = 0;
  visit(e, [&](const Expr& part) { loads += part.as<Load>() != nullptr; });
  EXPECT_EQ(loads, 2);
  EXPECT_TRUE(uses(e, x));
  EXPECT_FALSE(uses(e, variable("x")));
}

}  // namespace
}  // namespace hone::ir
