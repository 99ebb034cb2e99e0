#include "schedule/sum.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "schedule/range.h"

namespace hone::schedule {
namespace {

using Values = std::vector<std::int64_t>;

std::int64_t evaluate(const Vars& vars, const Sum& sum, const Values& values) {
  std::int64_t total = sum.constant;
  for (const Digit& digit : sum.digits) {
    const Sum* inner = vars.sum_of(digit.var);
    std::int64_t value =
        inner != nullptr ? evaluate(vars, *inner, values) : values[static_cast<std::size_t>(digit.var)];
    if (digit.upper != 0) value -= floor_div(value, digit.upper) * digit.upper;
    total += digit.scale * floor_div(value, digit.lower);
  }
  return total;
}

// Random sums beside plain functions of the same variables.
struct Pair {
  Sum sum;
  std::function<std::int64_t(const Values&)> function;
};

Pair random_pair(Vars& vars, std::mt19937& random, int depth) {
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  if (depth == 0) {
    const Var var = pick(3);
    return {variable(vars, var), [var](const Values& v) { return v[static_cast<std::size_t>(var)]; }};
  }
  Pair a = random_pair(vars, random, depth - 1);
  const std::int64_t number = pick(12) + 1;
  switch (pick(4)) {
    case 0: {
      const Pair b = random_pair(vars, random, depth - 1);
      const std::int64_t scale = pick(9) - 4;
      add(vars, a.sum, b.sum, scale);
      return {a.sum, [=](const Values& v) { return a.function(v) + scale * b.function(v); }};
    }
    case 1:
      a.sum.constant += number - 6;
      return {a.sum, [=](const Values& v) { return a.function(v) + number - 6; }};
    case 2:
      return {floor_div(vars, a.sum, number),
              [=](const Values& v) { return floor_div(a.function(v), number); }};
    default:
      return {floor_mod(vars, a.sum, number), [=](const Values& v) {
                const std::int64_t value = a.function(v);
                return value - floor_div(value, number) * number;
              }};
  }
}

TEST(Sum, ArithmeticKeepsItsMeaning) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    Vars vars;
    vars.add_loops(3);
    Values extents;
    for (Var var = 0; var < 3; ++var) {
      extents.push_back(static_cast<std::int64_t>(random() % 24) + 1);
      vars.set_extent(var, extents.back());
      vars.simplify_by_extent(var, random() % 2 == 0);
    }
    const Pair pair = random_pair(vars, random, static_cast<int>(random() % 5));
    const Limits values = limits(vars, pair.sum);
    for (int trial = 0; trial < 20; ++trial) {
      Values at;
      for (const std::int64_t extent : extents) {
        at.push_back(static_cast<std::int64_t>(random()) % extent);
      }
      const std::int64_t value = pair.function(at);
      ASSERT_EQ(evaluate(vars, pair.sum, at), value) << "round " << round;
      if (values.is_known()) {
        ASSERT_LE(values.min, value);
        ASSERT_GE(values.max, value);
      }
    }
  }
}

TEST(Sum, RelaxedRangesHoldEveryValue) {
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    Vars vars;
    vars.add_loops(3);
    for (Var var = 0; var < 3; ++var) vars.set_extent(var, 24);
    const Pair pair = random_pair(vars, random, static_cast<int>(random() % 5));
    const std::int64_t length = static_cast<std::int64_t>(random() % 24) + 1;
    const Range range = relax(vars, pair.sum, {{0, {constant(0), length}}});
    ASSERT_TRUE(range.is_known());
    for (int trial = 0; trial < 20; ++trial) {
      const Values at = {static_cast<std::int64_t>(random()) % length,
                         static_cast<std::int64_t>(random() % 24),
                         static_cast<std::int64_t>(random() % 24)};
      const std::int64_t first = evaluate(vars, range.min, at);
      ASSERT_LE(first, pair.function(at)) << "round " << round;
      ASSERT_LT(pair.function(at), first + range.extent) << "round " << round;
    }
  }
}

TEST(Sum, DigitsOfOneVariableJoin) {
  Vars vars;
  const Var x = vars.add_loops(1);
  vars.set_extent(x, 64);
  const Sum whole = variable(vars, x);
  Sum joined = floor_mod(vars, whole, 8);
  add(vars, joined, floor_div(vars, whole, 8), 8);
  EXPECT_EQ(joined, whole);
  Sum rest = whole;
  add(vars, rest, floor_div(vars, whole, 8), -8);
  EXPECT_EQ(rest, floor_mod(vars, whole, 8));
}

TEST(Sum, WhatIsSmallerThanTheStepDropsOutOfAQuotient) {
  Vars vars;
  const Var x = vars.add_loops(2);
  vars.set_extent(x, 10);
  vars.set_extent(x + 1, 4);
  Sum index;
  add(vars, index, variable(vars, x), 4);
  add(vars, index, variable(vars, x + 1));
  EXPECT_EQ(floor_div(vars, index, 4), variable(vars, x));
  EXPECT_EQ(floor_mod(vars, index, 4), variable(vars, x + 1));
  EXPECT_EQ(floor_div(vars, index, 8), floor_div(vars, variable(vars, x), 2));
}

}  // namespace
}  // namespace hone::schedule
