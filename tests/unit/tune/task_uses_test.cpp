#include "tune/task_uses.h"

#include <gtest/gtest.h>

#include "small_network.h"

namespace hone::tune {
namespace {

TEST(TaskUses, PlacesOfSeveralFormsAreGroupsWithOptions) {
  const Plan plan = plan_networks({attention_network()}, {});
  const auto uses = task_uses(plan, {{8, 3, 3, 3}, {}});
  ASSERT_EQ(uses.size(), 4u);
  for (const auto& of_task : uses) ASSERT_EQ(of_task.size(), 1u);
  EXPECT_EQ(uses[0][0].option, 0);
  for (int part = 0; part < 3; ++part) {
    const TaskUse& use = uses[static_cast<std::size_t>(part) + 1][0];
    EXPECT_EQ(use.group, uses[0][0].group);
    EXPECT_EQ(use.option, 1);
    EXPECT_EQ(use.part, part);
    EXPECT_DOUBLE_EQ(use.extra_s, (kOtherForm - 1) * 9);
  }
}

TEST(TaskUses, ALayoutIsChargedItsShareOfConversions) {
  const Plan plan = plan_networks({small_network()}, {});
  const auto uses = task_uses(plan, {{9, 9, 6, 6}, {3}});
  const auto task_of = [&](int choice) {
    return static_cast<std::size_t>(
        plan.choices[static_cast<std::size_t>(choice)].alternatives[0].task);
  };
  EXPECT_EQ(uses[task_of(0)][0].weight, 2) << "two places of equal options";
  EXPECT_EQ(uses[task_of(0)][0].extra_s, 0);
  EXPECT_DOUBLE_EQ(uses[task_of(2)][0].extra_s, (kOtherForm - 1) * 6 + 3)
      << "half of one value before it and of one behind it";
  EXPECT_EQ(uses[task_of(2)][0].group, uses[task_of(0)][0].group);
}

TEST(TaskUses, WithOneFormAChoiceIsItsGroup) {
  const auto dear = [](const task::Task& task) { return task.ops.size() == 2 ? 1e3 : 1.0; };
  const Plan plan = plan_networks({small_network()}, {.exact = false, .estimate = dear});
  const auto uses = task_uses(plan, {{1, 1}, {}});
  ASSERT_EQ(plan.choices.size(), 2u);
  EXPECT_EQ(uses[0][0].group, 0);
  EXPECT_EQ(uses[0][0].weight, 2);
  EXPECT_EQ(uses.back()[0].group, 1);
}

}  // namespace
}  // namespace hone::tune
