#include "ir/simplify.h"

#include <gtest/gtest.h>

#include <chrono>

#include "ir/print.h"

namespace hone::ir {
namespace {

class Simplify : public testing::Test {
 protected:
  Expr index(const std::string& name, std::int64_t extent) {
    Expr v = variable(name);
    ranges_[v.get()] = {0, extent - 1};
    return v;
  }
  std::string simple(const Expr& e) const { return print(simplify(e, ranges_)); }

  Ranges ranges_;
};

TEST_F(Simplify, SumsAreCanonical) {
  const Expr x = variable("x"), y = variable("y");
  EXPECT_EQ(simple(y + x * Expr(4) + Expr(3) - y), "((x*4) + 3)");
  EXPECT_EQ(simple(x + y), simple(y + x));
  EXPECT_EQ(simple((x + Expr(2)) * Expr(3) - x), "((x*2) + 6)");
  EXPECT_EQ(simple(Expr(3) - x), "(3 - x)");
  EXPECT_EQ(simple(x - Expr(1)), "(x - 1)");
  EXPECT_EQ(simple(Expr(0) - x), "(x*-1)");
  EXPECT_EQ(simple(x - x), "0");
  EXPECT_EQ(simple(y * x), simple(x * y));
}

TEST_F(Simplify, UnchangedExpressionsStayTheSameNode) {
  const Expr e = variable("x") * Expr(4) + variable("y");
  EXPECT_TRUE(simplify(e).same(e));
}

TEST_F(Simplify, SplitLoopsComeApart) {
  const Expr outer = index("o", 8), inner = index("i", 4);
  const Expr x = outer * Expr(4) + inner;
  EXPECT_EQ(simple(floor_div(x, 4)), "o");
  EXPECT_EQ(simple(floor_mod(x, 4)), "i");
  EXPECT_EQ(simple(floor_div(x, 8)), "floordiv(o, 2)");
  EXPECT_EQ(simple(floor_mod(x, 8)), "((floormod(o, 2)*4) + i)");
  EXPECT_EQ(simple(floor_div(x, 32)), "0");
  EXPECT_EQ(simple(floor_div(x + Expr(32), 32)), "1");
  EXPECT_EQ(simple(x / Expr(4)), "o");
  EXPECT_EQ(simple(floor_div(x - Expr(4), 4)), "(o - 1)");
}

TEST_F(Simplify, DivisionsCompose) {
  const Expr f = index("f", 18 * 18 * 64);
  EXPECT_EQ(simple(floor_div(floor_div(f, 18), 18)), "floordiv(f, 324)");
  EXPECT_EQ(simple(floor_mod(floor_mod(f, 324), 18)), "floormod(f, 18)");
  EXPECT_EQ(simple(floor_div(floor_mod(f, 324), 18)), "floormod(floordiv(f, 18), 18)");
  EXPECT_EQ(simple(floor_mod(floor_div(f, 324), 64)), "floordiv(f, 324)");
  EXPECT_EQ(simple(floor_mod(floor_div(f, 18), 18)), "floormod(floordiv(f, 18), 18)");
  EXPECT_EQ(simple(floor_div(f, 18 * 18 * 64)), "0");
}

TEST_F(Simplify, DigitsOfFusedLoopsGrowTogether) {
  const Expr f = index("f", 18 * 18 * 64);
  const Expr high = floor_div(f, 324), middle = floor_mod(floor_div(f, 18), 18), low = floor_mod(f, 18);
  EXPECT_EQ(simple(high * Expr(324) + middle * Expr(18) + low), "f");
  EXPECT_EQ(simple(middle * Expr(18) + low), "floormod(f, 324)");
  EXPECT_EQ(simple(low * Expr(4) + floor_div(f, 18) * Expr(72)), "(f*4)");
  EXPECT_EQ(simple(f - floor_div(f, 18) * Expr(18)), "floormod(f, 18)");
}

TEST_F(Simplify, ComparisonsAreDecidedByRanges) {
  const Expr outer = index("o", 5), inner = index("i", 4);
  const Expr x = outer * Expr(4) + inner;
  EXPECT_EQ(decide(x < Expr(20), ranges_), true);
  EXPECT_EQ(decide(x >= Expr(20), ranges_), false);
  EXPECT_EQ(decide(x < Expr(19), ranges_), std::nullopt);
  EXPECT_EQ(decide(x + Expr(1) > x, ranges_), true);
  EXPECT_EQ(decide(eq(floor_mod(x * Expr(2), 2), Expr(1)), ranges_), false);
  EXPECT_EQ(decide(eq(outer * Expr(2) + Expr(1), inner * Expr(4)), ranges_), false);
}

TEST_F(Simplify, GuardsLoseTheInnerLoopWhereItDoesNotMatter) {
  const Expr outer = index("o", 5), inner = index("i", 4);
  const Expr x = outer * Expr(4) + inner;
  EXPECT_EQ(simple(x < Expr(16)), "(o < 4)");
  EXPECT_EQ(simple(x < Expr(18)), "(((o*4) + i) < 18)");
  EXPECT_EQ(simple(outer * Expr(4) + Expr(3) < Expr(16)), "(o < 4)");
  EXPECT_EQ(simple(inner <= Expr(2)), "(i < 3)");
  EXPECT_EQ(simple(Expr(2) <= inner), "(i >= 2)");
  EXPECT_EQ(simple(logical_not(inner < Expr(2))), "(i >= 2)");
  EXPECT_EQ(simple(outer - inner > Expr(0)), "(o >= (i + 1))");
}

TEST_F(Simplify, ConjunctionsKeepTheTighterLimit) {
  const Expr x = index("x", 100), y = index("y", 100);
  EXPECT_EQ(simple(logical_and(logical_and(x < Expr(8), y < Expr(3)), x < Expr(4))),
            "((y < 3) && (x < 4))");
  EXPECT_EQ(simple(logical_and(x < Expr(4), x >= Expr(4))), "(bool)0");
  EXPECT_EQ(simple(logical_and(x >= Expr(0), y < Expr(3))), "(y < 3)");
  EXPECT_EQ(simple(logical_or(x < Expr(0), y < Expr(3))), "(y < 3)");
}

TEST_F(Simplify, MinAndMaxAreDecidedByDifference) {
  const Expr x = index("x", 10);
  EXPECT_EQ(simple(min(x + Expr(1), x + Expr(3))), "(x + 1)");
  EXPECT_EQ(simple(max(Expr(0) - x, Expr(0))), "0");
  EXPECT_EQ(simple(min(min(x, Expr(3)), Expr(5))), "min(x, 3)");
  // Rows that a clipped tile has left: at least one, at most four.
  const Interval rows = bounds(min(x * Expr(4) + Expr(4), Expr(38)) - x * Expr(4), ranges_);
  EXPECT_EQ(rows.min, 2);
  EXPECT_EQ(rows.max, 4);
}

TEST_F(Simplify, SelectionsWithKnownOrEqualOutcomeGo) {
  const Expr x = index("x", 10), unknown = variable("c") < Expr(3);
  EXPECT_EQ(simple(select(x >= Expr(0), float_imm(1), float_imm(2))), "1f");
  EXPECT_EQ(simple(select(unknown, x + Expr(1), Expr(1) + x)), "(x + 1)");
  EXPECT_EQ(simple(select(unknown, bool_imm(true), bool_imm(false))), "(c < 3)");
}

TEST_F(Simplify, FloatsChangeOnlyWhereTheValueCannot) {
  const Expr f = variable("f", kF32);
  EXPECT_EQ(simple(f * float_imm(1) + float_imm(0)), "f");
  EXPECT_EQ(simple(float_imm(0.1) + float_imm(0.2)), print(float_imm(0.1F + 0.2F)));
  EXPECT_EQ(simple(f - f), "(f - f)");
  EXPECT_EQ(simple(f * float_imm(0)), "(f*0f)");
  EXPECT_EQ(simple(logical_not(f < float_imm(1))), "!(f < 1f)");
  EXPECT_EQ(simple(cast(kF32, index("one", 1) + Expr(2))), "2f");
}

TEST_F(Simplify, NarrowIntegersMayWrap) {
  const Type u8{Scalar::U8, 1};
  const Expr v = variable("v", u8);
  EXPECT_EQ(decide(v + int_imm(1, u8) > v, ranges_), std::nullopt);
  EXPECT_EQ(decide(v < int_imm(0, u8), ranges_), false);
  EXPECT_EQ(simple(int_imm(255, u8) + int_imm(1, u8)), "(uint8)0");
  EXPECT_EQ(bounds(v + int_imm(1, u8), ranges_).min, 0);
}

TEST_F(Simplify, VectorsFold) {
  const Expr x = index("x", 16), o = index("o", 4);
  const Expr lanes = ramp(x * Expr(8), 1, 8);
  EXPECT_EQ(simple(lanes + broadcast(3, 8)), "ramp(((x*8) + 3), 1, 8)");
  EXPECT_EQ(simple(broadcast(x, 8) + broadcast(3, 8)), "broadcast((x + 3), 8)");
  EXPECT_EQ(simple(lanes * broadcast(2, 8)), "ramp((x*16), 2, 8)");
  EXPECT_EQ(simple(lanes - ramp(o, 1, 8)), "broadcast(((x*8) - o), 8)");
  EXPECT_EQ(simple(floor_div(lanes, broadcast(8, 8))), "broadcast(x, 8)");
  EXPECT_EQ(simple(floor_mod(lanes, broadcast(8, 8))), "ramp(0, 1, 8)");
  EXPECT_EQ(simple(floor_div(ramp(x, 4, 8), broadcast(4, 8))), "ramp(floordiv(x, 4), 1, 8)");
  EXPECT_EQ(decide(lanes < broadcast(128, 8), ranges_), true);
  EXPECT_EQ(decide(lanes < broadcast(127, 8), ranges_), std::nullopt);
  EXPECT_EQ(
      simple(select(broadcast(x < Expr(3), 8), broadcast(float_imm(1), 8), broadcast(float_imm(2), 8))),
      "broadcast(select((x < 3), 1f, 2f), 8)");
}

TEST_F(Simplify, ProductsWithOneFallAwayInEveryLane) {
  const Expr a = variable("a", kF32.with_lanes(8)), b = variable("b", kF32.with_lanes(8));
  const auto all = [](double value) { return broadcast(float_imm(value), 8); };
  EXPECT_EQ(simple(a + b * all(1)), "(a + b)");
  EXPECT_EQ(simple(a + b * all(-1)), "(a - b)");
  EXPECT_EQ(simple(a - all(-1) * b), "(a + b)");
  EXPECT_EQ(simple(a + b * all(2)), "(a + (b*broadcast(2f, 8)))");
  EXPECT_EQ(simple(all(0) + a), "a");
}

TEST_F(Simplify, LinearGivesTermsInOrderOfAppearance) {
  const Expr x = variable("x"), y = variable("y");
  const Linear sum = linear(y + x * Expr(4) - Expr(2) + floor_div(x, 3));
  ASSERT_EQ(sum.terms.size(), 3U);
  EXPECT_TRUE(sum.terms[0].atom.same(y));
  EXPECT_TRUE(sum.terms[1].atom.same(x));
  EXPECT_EQ(sum.terms[1].coefficient, 4);
  EXPECT_EQ(print(sum.terms[2].atom), "floordiv(x, 3)");
  EXPECT_EQ(sum.constant, -2);
  EXPECT_EQ(print(to_expr(sum)), "(((y + (x*4)) + floordiv(x, 3)) - 2)");
}

TEST_F(Simplify, HugeNumbersAreLeftAlone) {
  const Expr x = index("x", 10), least(std::numeric_limits<std::int64_t>::min());
  const Expr most(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(decide(x + least <= Expr(0), ranges_), std::nullopt);
  EXPECT_EQ(simple(x - most < least), "((x - 9223372036854775807) < -9223372036854775808)");
  EXPECT_EQ(simple(x * least * Expr(2)), "0");
  EXPECT_EQ(simple(max(x * least, x)), "max((x*-9223372036854775808), x)");
}

TEST_F(Simplify, SharedPartsAreDoneOnce) {
  const Expr x = variable("x"), c = variable("c");
  Expr doubled = x, chosen = x, chain = float_imm(0);
  for (int i = 0; i < 60; ++i) {
    doubled = doubled + doubled;
    chosen = select(c < Expr(i), max(chosen, Expr(i)), chosen);
    chain = select(logical_and(eq(floor_mod(x, 6), Expr(i % 6)), eq(floor_mod(c, 6), Expr(i / 6))),
                   float_imm(i), chain);
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(simple(doubled), "(x*1152921504606846976)");
  simplify(chosen);
  EXPECT_EQ(simplify(chain, {{x.get(), {3, 3}}, {c.get(), {1, 1}}}).as<FloatImm>()->value, 9);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace hone::ir
