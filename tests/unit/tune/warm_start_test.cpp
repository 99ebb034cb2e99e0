#include "tune/warm_start.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "schedule/state.h"
#include "space/tiling.h"
#include "task/catalogue.h"
#include "tests/shared_data.h"
#include "tune/tune.h"

namespace hone::tune {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

class WarmStartTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(path_); }
  void TearDown() override { std::filesystem::remove_all(path_); }

  static TaskPtr task_of(const std::string& op) {
    return std::make_shared<const task::Task>(task::from_op(op));
  }
  schedule::Steps untuned(const std::string& op) const {
    return space::analytic_steps(*task_of(op), target_, target_.cores);
  }
  void won(const std::string& op, const schedule::Steps& steps, double seconds = 1e-3) {
    record::Record record;
    record.target = target::to_string(target_);
    record.hardware.assign(record::kHardwareNumbers, 0);
    record.steps = steps;
    record.costs = {seconds};
    record::Store(path_).add(*task_of(op), record, compiler_name());
  }
  std::vector<schedule::Steps> starts(const std::string& op, int limit = 4) const {
    return warm_starts(task_of(op), target_, SpaceKind::Hone, record::Store(path_), limit);
  }

  const target::Target target_ = target::parse("avx2");
  const std::string path_ = temporary_file("records.db");
};

TEST_F(WarmStartTest, AnEmptyStoreHasNone) { EXPECT_TRUE(starts("matmul:m=64,n=64,k=64").empty()); }

TEST_F(WarmStartTest, WinnersOfTheTaskComeAsTheyAreAndBeforeThoseOfOthers) {
  const std::string op = "matmul:m=256,n=256,k=256", near = "matmul:m=256,n=256,k=128";
  schedule::Steps other = untuned(op);
  std::get<schedule::Split>(other.at(0)).lengths = {1, 1, 4};
  won(op, other, 2e-3);
  won(op, untuned(op), 1e-3);
  won(near, untuned(near), 1e-4);
  const std::vector<schedule::Steps> found = starts(op);
  ASSERT_GE(found.size(), 2u);
  EXPECT_EQ(found.at(0), untuned(op));
  EXPECT_EQ(found.at(1), other);
  EXPECT_EQ(starts(op, 1).size(), 1u);
}

TEST_F(WarmStartTest, WinnersOfLikeTasksAreMadeToFitTheNearestFirst) {
  const std::string op = "conv2d:n=1,ci=64,hw=28,co=64,k=3,s=1,p=1+bias+relu";
  const std::string near = "conv2d:n=1,ci=64,hw=30,co=64,k=3,s=1,p=1+bias+relu";
  const std::string far = "conv2d:n=1,ci=8,hw=7,co=8,k=3,s=1,p=1+bias+relu";
  won(far, untuned(far));
  won(near, untuned(near));
  won("matmul:m=64,n=64,k=64", untuned("matmul:m=64,n=64,k=64"));
  const std::vector<schedule::Steps> found = starts(op);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(starts(op, 1).at(0), found.at(0));
  for (const schedule::Steps& steps : found) {
    schedule::State state = schedule::replay(task_of(op), steps);
    schedule::infer_bounds(state);
  }
  std::filesystem::remove_all(path_);
  won(near, untuned(near));
  EXPECT_EQ(starts(op), std::vector<schedule::Steps>{found.at(0)});
}

}  // namespace
}  // namespace hone::tune
