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
  EXPECT_EQ(family.print({1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16}),
            "generic: C i: level1 4 level2 1 inner 6 j: level1 2 level2 1 inner 2 lanes 8 k: reduce 64 "
            "outermost 1 unroll 16");
}

TEST(GenericFamily, TilesBeyondTheRegistersAreDecodedButNotProposed) {
  const GenericFamily family(1, task_of("matmul:m=64,n=64,k=64+relu"), target::parse("avx2"), 2);
  const Decisions fits = {1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16},
                  spills = {1, 4, 1, 8, 2, 1, 4, 8, 64, 1, 16};
  EXPECT_TRUE(family.settle(fits));
  EXPECT_TRUE(family.decode(spills));
  EXPECT_FALSE(family.settle(spills));
}

TEST(GenericFamily, SizesThatAreNoneDecodeToNothing) {
  const GenericFamily family(1, task_of("matmul:m=64,n=64,k=64+relu"), target::parse("avx2"), 2);
  const Decisions good = {1, 4, 1, 6, 2, 1, 2, 8, 64, 1, 16};
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
