#include "tune/label_pool.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "target/detect.h"
#include "task/catalogue.h"
#include "tune/trial.h"

namespace hone::tune {
namespace {

// Sees a program by its summary and believes the one with the largest numbers to be the fastest.
class Seer final : public score::Network {
 public:
  Seer() : Network({"summary"}) {}
  std::vector<score::Prediction> predict(std::span<const score::Sample> samples) const override {
    std::vector<score::Prediction> out;
    for (const score::Sample& sample : samples) {
      const std::vector<float>& row = score::view_of(sample, "summary").values;
      double sum = 0;
      for (const float value : row) sum += double{value};
      out.push_back({.score = 1 + std::abs(sum), .spread = 0.1, .hidden = row});
    }
    return out;
  }
};

CollectTask task_of(const char* op) {
  return {std::make_shared<const task::Task>(task::from_op(op)), "", {}};
}

std::vector<CollectTask> four_tasks() {
  return {task_of("matmul:m=16,n=32,k=64"), task_of("matmul:m=24,n=24,k=48"),
          task_of("conv2d:n=1,ci=4,hw=8,co=8,k=3,s=1,p=1"), task_of("matmul:m=16,n=32,k=64")};
}

std::vector<std::string> keys_of(const std::vector<CollectTask>& tasks) {
  std::vector<std::string> out;
  for (const CollectTask& task : tasks) {
    out.push_back(task.task->name);
    for (const schedule::Steps& steps : task.programs) out.push_back(candidate_of(steps).key);
  }
  return out;
}

target::Target one_core() {
  target::Target target = target::host();
  target.cores = 1;
  return target;
}

TEST(LabelPool, EveryTaskOnceAndNoProgramTwice) {
  const auto chosen = choose_labels(four_tasks(), one_core(), Seer(), {.labels = 60, .pool = 40});
  ASSERT_EQ(chosen.size(), 3U);
  for (const CollectTask& task : chosen) {
    std::set<std::string> keys;
    for (const schedule::Steps& steps : task.programs) keys.insert(candidate_of(steps).key);
    EXPECT_EQ(task.programs.size(), 20U);
    EXPECT_EQ(keys.size(), 20U);
  }
}

TEST(LabelPool, FewLabelsAreOfFewTasks) {
  const auto chosen = choose_labels(four_tasks(), one_core(), Seer(), {.labels = 32, .pool = 24});
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].programs.size() + chosen[1].programs.size(), 32U);
}

TEST(LabelPool, HangsOnTheSeedAndNotOnThreads) {
  LabelOptions options{.labels = 40, .pool = 24};
  const auto chosen = [&] { return keys_of(choose_labels(four_tasks(), one_core(), Seer(), options)); };
  const std::vector<std::string> active = chosen();
  options.jobs = 3;
  EXPECT_EQ(chosen(), active);
  options.is_active = false;
  const std::vector<std::string> random = chosen();
  EXPECT_NE(random, active);
  options.seed = 2;
  EXPECT_NE(chosen(), random);
}

TEST(LabelPool, TakesOfGivenProgramsOnly) {
  const auto all =
      choose_labels({task_of("matmul:m=16,n=32,k=64")}, one_core(), Seer(), {.labels = 20, .pool = 20});
  ASSERT_EQ(all[0].programs.size(), 20U);
  const auto chosen = choose_labels(all, one_core(), Seer(), {.labels = 8, .pool = 1000});
  ASSERT_EQ(chosen[0].programs.size(), 8U);
  const std::vector<std::string> keys = keys_of(all);
  const std::set<std::string> known(keys.begin(), keys.end());
  for (const std::string& key : keys_of(chosen)) EXPECT_TRUE(known.contains(key)) << key;
}

}  // namespace
}  // namespace hone::tune
