#include "feature/lane_step.h"

#include <gtest/gtest.h>

namespace hone::feature {
namespace {

using schedule::Sum;
using schedule::Var;

constexpr std::int64_t kLanes = 16;

// Loops i of 12 and v of 64 turns; an access to a matrix with rows of 100 elements.
struct Fixture {
  schedule::Vars vars;
  Var i = vars.add_loops(1), v = vars.add_loops(1);

  Fixture() {
    vars.set_extent(i, 12);
    vars.set_extent(v, 64);
  }
  Sum sum(std::int64_t of_i, std::int64_t of_v) {
    Sum out = schedule::constant(0);
    schedule::add(vars, out, schedule::variable(vars, i), of_i);
    schedule::add(vars, out, schedule::variable(vars, v), of_v);
    return out;
  }
  std::int64_t step(Sum row, Sum column) {
    const Access access{
        .tensor = 0, .kind = AccessKind::Read, .indices = {{std::move(row), std::move(column)}}};
    return lane_step(vars, access, {1000, 100}, v, kLanes);
  }
};

TEST(LaneStep, IsTheCoefficientInTheOffset) {
  Fixture f;
  EXPECT_EQ(f.step(f.sum(1, 0), f.sum(0, 1)), 1);
  EXPECT_EQ(f.step(f.sum(1, 0), f.sum(0, 2)), 2);
  EXPECT_EQ(f.step(f.sum(0, 1), f.sum(1, 0)), 100);
  EXPECT_EQ(f.step(f.sum(1, 0), f.sum(1, 0)), 0);
  EXPECT_EQ(f.step(f.sum(0, 1), f.sum(0, 1)), 101) << "a diagonal";
}

TEST(LaneStep, OfFusedLoopsIsThatOfTheInnerOneWhenVectorsFit) {
  Fixture f;
  const auto fused = [&](std::int64_t inner) {
    return f.step(schedule::floor_div(f.vars, f.sum(0, 1), inner),
                  schedule::floor_mod(f.vars, f.sum(0, 1), inner));
  };
  EXPECT_EQ(fused(32), 1);
  EXPECT_EQ(fused(16), 1);
  EXPECT_EQ(fused(24), kFarApart) << "a vector goes on in the next row";
  EXPECT_EQ(fused(8), kFarApart);
}

TEST(LaneStep, ElementsOfTwoGroupsLieApart) {
  Fixture f;
  const auto group = [&](std::int64_t of_i) {
    Sum out = schedule::constant(0);
    schedule::add(f.vars, out, schedule::floor_div(f.vars, f.sum(of_i, 1), 64), 64);
    return f.step(schedule::constant(0), out);
  };
  EXPECT_EQ(group(64), 0) << "one group a vector";
  EXPECT_EQ(group(16), kFarApart);
}

}  // namespace
}  // namespace hone::feature
