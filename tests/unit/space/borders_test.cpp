#include "space/borders.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/random.h"
#include "space/sketch.h"
#include "space/space.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

const task::Op& conv_of(const task::Task& task) {
  for (const task::Op& op : task.ops) {
    if (!op.reduce_axes.empty()) return op;
  }
  throw std::logic_error("no reduction");
}

std::vector<bool> borders_of(const std::string& op) {
  const task::Task task = task::from_op(op);
  return border_axes(task, conv_of(task));
}

using Axes = std::vector<bool>;

TEST(Borders, LieWhereAWindowSlidesOverPadding) {
  EXPECT_EQ(borders_of("conv2d:n=1,ci=8,hw=8,co=8,k=3,s=1,p=1,layout=nhwc"),
            Axes({false, true, true, false}));
  EXPECT_EQ(borders_of("conv2d:n=1,ci=8,hw=8,co=8,k=3,s=1,p=1"), Axes({false, false, true, true}));
  EXPECT_EQ(borders_of("conv2d:n=1,ci=8,hw=8,co=8,k=3,s=1,p=0,layout=nhwc"), Axes(4, false))
      << "nothing is padded";
  EXPECT_EQ(borders_of("matmul:m=8,n=8,k=8"), Axes(2, false));
}

TEST(Borders, OneAxisKeepsItsTiles) {
  Tiling t;
  t.inner = {1, 2, 6, 3};
  t.level2 = {1, 1, 2, 2};
  t.lanes = 16;
  limit_borders({false, true, true, false}, t);
  EXPECT_EQ(t.inner, (std::vector<std::int64_t>{1, 1, 6, 3}));
  EXPECT_EQ(t.level2, (std::vector<std::int64_t>{1, 1, 2, 2}));
  t.inner = {1, 4, 6, 1};
  limit_borders({false, false, true, true}, t);
  EXPECT_EQ(t.inner, (std::vector<std::int64_t>{1, 4, 1, 1})) << "vectors already lie along one";
  EXPECT_EQ(t.level2, (std::vector<std::int64_t>{1, 1, 1, 2}));
}

// The generic structure splits an axis into sizes outer to inner: [level1, level2, inner].
bool is_tiled(const schedule::Steps& steps, std::size_t axis) {
  std::size_t seen = 0;
  for (const schedule::Step& step : steps) {
    const auto* split = std::get_if<schedule::Split>(&step);
    if (split == nullptr || seen++ != axis) continue;
    return *split->lengths[1] * *split->lengths[2] > 1;
  }
  return false;
}

TEST(Borders, SearchLeavesTilesAlongTwoOfThemAlone) {
  const auto task = std::make_shared<const task::Task>(
      task::from_op("conv2d:n=1,ci=32,hw=14,co=32,k=3,s=1,p=1,layout=nhwc"));
  const target::Target target = target::parse("avx512");
  const Space space = hone_space(task, sketches(task, hardware_of(target)), target);
  int generic = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Random random(1, i);
    std::optional<Decisions> decisions = space.sample(random);
    for (int step = 0; decisions && step < 3; ++step) {
      if (space.print(*decisions).starts_with("generic")) {
        ++generic;
        const auto steps = space.decode(*decisions);
        ASSERT_TRUE(steps);
        EXPECT_FALSE(is_tiled(*steps, 1) && is_tiled(*steps, 2)) << space.print(*decisions);
      }
      decisions = space.mutate(*decisions, random);
    }
  }
  EXPECT_GT(generic, 300);
}

}  // namespace
}  // namespace hone::space
