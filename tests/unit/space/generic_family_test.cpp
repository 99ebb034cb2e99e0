// The generic structure as a family: choices to entries and back, also from steps alone.
#include "space/generic/generic_family.h"

#include <gtest/gtest.h>

#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

using TaskPointer = std::shared_ptr<const task::Task>;

TaskPointer task_of(const std::string& op) {
  return std::make_shared<const task::Task>(task::from_op(op));
}

TEST(GenericFamily, WhatHoneEmitsWithoutTuningIsAMemberForEveryOperator) {
  const target::Target target = target::parse("avx512");
  for (const task::OperatorHelp& help : task::catalogue()) {
    const TaskPointer task = task_of(help.example);
    const auto roles = structure(*task, task::analyse(*task));
    const schedule::Steps steps = steps_for(*task, roles, analytic_choice(*task, roles, target, 2));
    const GenericFamily family(0, task, target, 2);
    const std::optional<Decisions> decisions = family.encode(steps);
    ASSERT_TRUE(decisions) << help.example << '\n' << schedule::to_json(steps);
    EXPECT_EQ(schedule::to_json(*family.decode(*decisions)), schedule::to_json(steps));
  }
}

TEST(GenericFamily, EveryOperatorsSamplesAreTheirOwnEncoding) {
  const target::Target target = target::parse("avx2");
  Random random(1, 0);
  for (const task::OperatorHelp& help : task::catalogue()) {
    const GenericFamily family(3, task_of(help.example), target, 2);
    for (int i = 0; i < 50; ++i) {
      const Decisions decisions = *family.sample(random);
      const std::optional<schedule::Steps> steps = family.decode(decisions);
      ASSERT_TRUE(steps) << family.print(decisions);
      ASSERT_EQ(family.encode(*steps), decisions) << family.print(decisions);
      ASSERT_EQ(family.settle(decisions), decisions) << family.print(decisions);
    }
  }
}

TEST(GenericFamily, EntriesReadAsWords) {
  const GenericFamily family(1, task_of("matmul:m=64,n=64,k=64+relu"), target::parse("avx2"), 2);
  EXPECT_EQ(family.print({1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16, 0, 0}),
            "generic: C i: level1 4 level2 1 inner 6 j: level1 2 level2 1 inner 2 lanes 8 k: reduce 64 "
            "outermost 1 unroll 16 prefetch 0");
}

TEST(GenericFamily, PanelsReadAsWords) {
  const GenericFamily family(1, task_of("batch_matmul:b=2,m=64,n=64,k=64,trans=t"),
                             target::parse("avx2"), 2);
  const std::string tiles =
      "generic: C b: level1 1 level2 1 inner 1 i: level1 4 level2 1 inner 6 j: level1 2 level2 1 inner "
      "2 "
      "lanes 8 k: reduce 64 outermost 1 unroll 16 prefetch 8";
  const auto with_panels = [](std::int64_t a, std::int64_t b) {
    return Decisions{1, 1, 1, 1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16, 8, a, b};
  };
  EXPECT_EQ(family.print(with_panels(0, 0)), tiles);
  EXPECT_EQ(family.print(with_panels(0, 1)), tiles + " panel of B in each chunk");
  EXPECT_EQ(family.print(with_panels(3, 5)), tiles + " panel of A in i panel of B in the reduction");
  EXPECT_FALSE(family.decode(with_panels(0, 6)));
}

TEST(GenericFamily, WhatIsPackedIsNotPrefetched) {
  const GenericFamily family(0, task_of("batch_matmul:b=1,m=64,n=64,k=64"), target::parse("avx2"), 1);
  const std::optional<Decisions> settled = family.settle({0, 4, 1, 4, 1, 1, 2, 8, 1, 1, 16, 8, 0, 1});
  EXPECT_EQ(settled, (Decisions{0, 4, 1, 4, 1, 1, 2, 8, 1, 1, 16, 0, 0, 1}));
}

TEST(GenericFamily, APanelBeyondTheCachesIsDecodedButNotProposed) {
  const GenericFamily family(0, task_of("batch_matmul:b=1,m=4096,n=4096,k=4096,trans=t"),
                             target::parse("avx2"), 1);
  // All of B in one chunk, and one row of tiles of it.
  const Decisions whole = {0, 1024, 1, 4, 256, 1, 2, 8, 1, 1, 16, 0, 0, 1};
  Decisions row = whole;
  row[4] = 1;
  EXPECT_TRUE(family.decode(whole));
  EXPECT_FALSE(family.settle(whole));
  EXPECT_TRUE(family.settle(row));
}

TEST(GenericFamily, APlaceInALoopOfOneIterationIsNamedByTheLoopAround) {
  const GenericFamily family(0, task_of("batch_matmul:b=1,m=64,n=64,k=64,trans=t"),
                             target::parse("avx2"), 1);
  // Tiles along i and j in a chunk, j outermost; the reduction is in one piece.
  const auto placed = [&](std::int64_t tiles_i, std::int64_t tiles_j, std::int64_t place) {
    return (*family.settle({0, tiles_i, 1, 4, tiles_j, 1, 2, 8, 64, 1, 16, 0, 0, place})).back();
  };
  EXPECT_EQ(placed(4, 2, 3), 3);  // i
  EXPECT_EQ(placed(1, 2, 3), 4);  // j, which is around it
  EXPECT_EQ(placed(1, 1, 3), 1);  // the chunk
  EXPECT_EQ(placed(4, 1, 5), 3);  // a reduction in one piece is no loop
  EXPECT_EQ(placed(4, 1, 0), 0);
}

TEST(GenericFamily, TilesBeyondTheRegistersAreDecodedButNotProposed) {
  const GenericFamily family(1, task_of("matmul:m=64,n=64,k=64+relu"), target::parse("avx2"), 2);
  const Decisions fits = {1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16, 0, 0},
                  spills = {1, 4, 1, 8, 2, 1, 4, 8, 64, 1, 16, 0, 0};
  EXPECT_TRUE(family.settle(fits));
  EXPECT_TRUE(family.decode(spills));
  EXPECT_FALSE(family.settle(spills));
}

TEST(GenericFamily, SizesThatAreNoneDecodeToNothing) {
  const GenericFamily family(1, task_of("matmul:m=64,n=64,k=64+relu"), target::parse("avx2"), 2);
  const Decisions good = {1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16, 0, 0};
  for (std::size_t e = 1; e < good.size(); ++e) {
    for (const std::int64_t value : {-1L, 1L << 40}) {
      Decisions bad = good;
      bad[e] = value;
      EXPECT_FALSE(family.decode(bad));
    }
  }
  EXPECT_FALSE(family.decode({1, 2, 3}));
  EXPECT_FALSE(family.encode({}));
}

}  // namespace
}  // namespace hone::space
