#include "space/blocks.h"

#include <gtest/gtest.h>

#include "space/generic/generic_family.h"
#include "task/ops/strassen.h"
#include "task/text.h"

namespace hone::space {
namespace {

using TaskPointer = std::shared_ptr<const task::Task>;
using Flags = std::vector<bool>;

TaskPointer product() {
  task::ops::Draft draft({ir::Scalar::F32, 1});
  const ir::Buffer a = draft.placeholder("A", {32, 2, 2, 64});
  const ir::Buffer w = draft.placeholder("W", {7, 64, 96});
  task::ops::multiply_quarters(draft, a, w, task::ops::with_weight(w));
  return std::make_shared<const task::Task>(draft.finish("product"));
}

TaskPointer attention() {
  return std::make_shared<const task::Task>(
      task::parse("Q = PLACEHOLDER [4, 32, 16]\n"
                  "K = PLACEHOLDER [4, 16, 32]\n"
                  "S(h, i, j) += (Q[h, i, d]*K[h, d, j])\n"
                  "most(h, i) max= S[h, i, j]\n"
                  "power(h, i, j) = tir.exp((S[h, i, j] - most[h, i]))\n"
                  "total(h, i) += power[h, i, j]\n"
                  "share(h, i, j) = (power[h, i, j]/total[h, i])\n"
                  "V = PLACEHOLDER [4, 32, 16]\n"
                  "O(i, h, e) += (share[h, i, j]*V[h, j, e])\n"));
}

std::vector<StageRole> roles_of(const task::Task& task) { return structure(task, task::analyse(task)); }
const StageRole& role(const task::Task& task, const std::vector<StageRole>& roles,
                      const std::string& name) {
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (task.ops[i].name() == name) return roles[i];
  }
  throw std::out_of_range(name);
}

TEST(Blocks, ProductsOfQuartersAreMadeInBlocksOfColumns) {
  const TaskPointer task = product();
  const auto roles = roles_of(*task);
  const int last = static_cast<int>(task->ops.size()) - 1;
  EXPECT_EQ(roles.back().role, Role::Patches);
  EXPECT_EQ(roles.back().shared, (Flags{false, false, false, true}));
  EXPECT_EQ(role(*task, roles, "products").around, last);
  EXPECT_EQ(role(*task, roles, "products").around_loop, 1);
  EXPECT_EQ(role(*task, roles, "left_sums").around, last);
  EXPECT_EQ(role(*task, roles, "left_sums").around_loop, 0);
}

TEST(Blocks, AttentionIsDoneInBlocksOfHeadsAndRows) {
  const TaskPointer task = attention();
  const auto roles = roles_of(*task);
  const int last = static_cast<int>(task->ops.size()) - 1;
  EXPECT_EQ(roles.back().shared, (Flags{true, true, false}));
  EXPECT_EQ(role(*task, roles, "S").role, Role::Tiled);
  EXPECT_EQ(role(*task, roles, "S").around, last);
  EXPECT_EQ(role(*task, roles, "share").role, Role::Rows);
  EXPECT_EQ(role(*task, roles, "share").around, last);
  EXPECT_EQ(role(*task, roles, "total").role, Role::Attached);
}

TEST(Blocks, AreWholeAlongAxesThatAreNotShared) {
  const TaskPointer task = attention();
  const auto roles = roles_of(*task);
  Tiling t;
  t.level1 = t.level2 = {1, 1, 1};
  t.inner = {4, 1, 1};
  t.lanes = 4;
  keep_blocks_whole(task->ops.back(), roles.back(), t);
  EXPECT_EQ(t.level1, (std::vector<std::int64_t>{1, 1, 4}));
}

TEST(Blocks, CandidatesAreTheirOwnEncoding) {
  const target::Target target = target::parse("avx512");
  Random random(1, 0);
  for (const TaskPointer& task : {product(), attention()}) {
    const GenericFamily family(0, task, target, 2);
    const auto untuned = family.encode(analytic_steps(*task, target, 2));
    ASSERT_TRUE(untuned);
    EXPECT_FALSE(family.neighbours(*untuned).empty());
    for (int i = 0; i < 50; ++i) {
      const Decisions decisions = *family.sample(random);
      const std::optional<schedule::Steps> steps = family.decode(decisions);
      ASSERT_TRUE(steps) << family.print(decisions);
      ASSERT_EQ(family.encode(*steps), decisions) << family.print(decisions);
      ASSERT_EQ(family.settle(decisions), decisions) << family.print(decisions);
    }
  }
}

}  // namespace
}  // namespace hone::space
