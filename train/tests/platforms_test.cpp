// Several sets, several machines, and few labels on one of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "train/batches.h"
#include "train/material.h"
#include "train/tests/fixture.h"
#include "train/views.h"

namespace hone::train {
namespace {

const Options kOptions = {{"label", "min", ""}, {"validation", "0.25", ""}, {"seed", "3", ""}};

// A file of its own for each machine.
std::string made(MadeUp made_up, const std::string& machine, const std::string& name = "") {
  made_up.machine = machine;
  const std::string path = temporary_file((name.empty() ? machine : name) + ".hds");
  write_made_up_set(path, made_up);
  return path;
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
    return "";
  } catch (const UserError& error) {
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return std::string(error.what()) + " / " + error.hint();
  }
}

Material few_labels(const std::vector<std::string>& sets, std::size_t labels, Fold fold = {}) {
  return load_material(sets, kOptions, fold, {.platform = "new", .labels = labels, .programs = {}});
}

std::set<Program> labelled_of_target(const Material& material) {
  std::set<Program> out;
  for (const TaskIds* part : {&material.split.training, &material.split.validation})
    for (const std::uint32_t id : *part)
      if (material.set.is_of_target(material.set.tasks[id]))
        out.insert(material.set.tasks[id].programs.begin(), material.set.tasks[id].programs.end());
  return out;
}

TEST(Platforms, SeveralFilesAreOneSet) {
  const std::string a = made({.tasks = 2}, "old"), b = made({.tasks = 3, .seed = 2}, "new");
  const DataSet both = load_data_sets({a, b}, "min"), second = load_data_set(b, "min");
  ASSERT_EQ(both.tasks.size(), 5U);
  EXPECT_EQ(both.n_programs(), 100U);
  EXPECT_EQ(both.platforms[1].name, "new");
  EXPECT_EQ(both.tasks[4].platform, 1U);
  for (std::size_t i = 0; i < second.n_programs(); ++i) {
    EXPECT_EQ(both.speed[40 + i], second.speed[i]);
    EXPECT_EQ(both.task_of[40 + i], 2 + second.task_of[i]);
  }
  const Features features(both, {"tlp", "context"}, torch::kCPU);
  const Features alone(second, {"tlp", "context"}, torch::kCPU);
  const Batch batch = features.batch({0, 41, 99}), same = alone.batch({1, 59});
  EXPECT_TRUE(torch::equal(batch.platform, torch::tensor({0, 1, 1}, torch::kLong)));
  for (const char* name : {"tlp", "context"}) {
    const torch::Tensor rows = batch.view(name).rows;
    EXPECT_TRUE(
        torch::equal(rows.slice(0, rows.size(0) - same.view(name).rows.size(0)), same.view(name).rows))
        << name;
  }
}

TEST(Platforms, TheTargetComesFirstAndUnknownOnesAreNamed) {
  DataSet set = load_data_sets({made({}, "old"), made({}, "older"), made({}, "new")}, "min");
  set_target(set, "new");
  EXPECT_EQ(set.platforms[0].name, "new");
  EXPECT_EQ(set.platforms[1].name, "old");
  EXPECT_EQ(set.platforms[2].name, "older");
  for (std::size_t i = 0; i < set.tasks.size(); ++i)
    EXPECT_EQ(set.tasks[i].platform, i < 6 ? 1U : i < 12 ? 2U : 0U);
  EXPECT_NE(error_of([&] { set_target(set, "newer"); }).find("new, old, older"), std::string::npos);
}

TEST(Platforms, SetsThatNobodyCanTellApartAreRefused) {
  const std::string a = made({}, "", "a"), b = made({}, "", "b");
  EXPECT_NE(error_of([&] { load_data_sets({a, b}, "min"); }).find("--machine"), std::string::npos);
  const DataSet one = load_data_sets({a, made({}, "new")}, "min");
  EXPECT_TRUE(one.platforms[0].name.ends_with("_a")) << one.platforms[0].name;
}

TEST(Platforms, OtherFeaturesAreRefused) {
  const DataSet set = load_data_sets({made({}, "old"), made({.statement_columns = 9}, "new")}, "min");
  EXPECT_NE(error_of([&] { Features(set, {"statements"}, torch::kCPU); }).find("version or width"),
            std::string::npos);
}

TEST(Platforms, WhatIsHeldOutIsHeldOutOnAllMachines) {
  const std::string a = made({.tasks = 40, .programs = 3, .structures = 13}, "old");
  const std::string b = made({.tasks = 30, .programs = 3, .structures = 11}, "new");
  for (const FoldBy by : {FoldBy::Structure, FoldBy::Task}) {
    DataSet set = load_data_sets({a, b}, "min");
    set_target(set, "new");
    const auto name = [&](std::uint32_t task) {
      return by == FoldBy::Task ? set.tasks[task].key : set.tasks[task].structure;
    };
    for (std::size_t number = 0; number < 4; ++number) {
      const Split split = split_tasks(set, {number, 4, by}, 0.2, 5);
      std::map<std::uint32_t, int> part;  // of each task that is not left out
      for (const std::uint32_t task : split.training) part[task] = 1;
      for (const std::uint32_t task : split.validation) part[task] = 2;
      std::map<std::string, std::set<int>> parts_of;
      for (std::uint32_t task = 0; task < set.tasks.size(); ++task)
        parts_of[name(task)].insert(part.count(task) == 0 ? 0 : part[task]);
      for (const auto& [group, parts] : parts_of) EXPECT_EQ(parts.size(), 1U) << group;
    }
  }
}

// So that models with and without sources are judged alike.
TEST(Platforms, TheFoldsOfTheTargetDoNotDependOnTheSources) {
  const std::string a = made({.tasks = 40, .programs = 3, .structures = 13}, "old");
  const std::string b = made({.tasks = 30, .programs = 3, .structures = 11}, "new");
  const auto keys = [&](const std::vector<std::string>& sets, std::size_t fold) {
    DataSet set = load_data_sets(sets, "min");
    set_target(set, "new");
    const Split split = split_tasks(set, {fold, 5}, 0.1, 1);
    std::vector<std::set<std::string>> out(2);
    for (const std::uint32_t task : split.training)
      if (set.is_of_target(set.tasks[task])) out[0].insert(set.tasks[task].key);
    for (const std::uint32_t task : split.validation)
      if (set.is_of_target(set.tasks[task])) out[1].insert(set.tasks[task].key);
    return out;
  };
  for (std::size_t fold = 0; fold < 5; ++fold) EXPECT_EQ(keys({a, b}, fold), keys({b}, fold));
}

TEST(Platforms, MixedListsAreOfOnePlatformEach) {
  const DataSet set = load_data_sets({made({.tasks = 2}, "old"), made({.tasks = 2}, "new")}, "min");
  std::multiset<Program> visited;
  for (const ListBatch& batch : batches_of_epoch(set, {0, 1, 2, 3}, {32}, 1, 1)) {
    for (const List& list : batch) {
      visited.insert(list.begin(), list.end());
      for (const Program program : list)
        EXPECT_EQ(set.tasks[set.task_of[program]].platform, set.tasks[set.task_of[list[0]]].platform);
    }
  }
  EXPECT_EQ(visited.size(), 80U);
  EXPECT_EQ(std::set<Program>(visited.begin(), visited.end()).size(), 80U);
}

TEST(TargetLabels, TheBudgetIsOfBothPartsAndSpreadOverTasks) {
  const std::vector<std::string> sets = {made({.tasks = 12, .programs = 40, .structures = 12}, "old"),
                                         made({.tasks = 12, .programs = 40, .structures = 12}, "new")};
  for (const std::size_t count : {0U, 24U, 100U, 479U}) {
    const Material material = few_labels(sets, count);
    EXPECT_LE(material.set.platforms[0].labels,
              count);  // less those of tasks in which none of them works
    EXPECT_GE(material.set.platforms[0].labels + 16, count);
    EXPECT_EQ(material.set.platforms[1].labels, 480U);
    EXPECT_EQ(material.keys.size(), 12U);
    for (const std::uint32_t id : material.split.training) {
      if (!material.set.is_of_target(material.set.tasks[id])) continue;
      EXPECT_GE(material.set.tasks[id].programs.size(), count == 24 ? 2U : 8U);
    }
  }
  EXPECT_EQ(few_labels(sets, 10'000).set.platforms[0].labels, 480U);
  EXPECT_EQ(labelled_of_target(few_labels(sets, 100)), labelled_of_target(few_labels(sets, 100)));
  const Material material = few_labels(sets, 100);
  const TaskIds judged = material.judged();
  ASSERT_FALSE(judged.empty());
  for (const std::uint32_t id : judged) EXPECT_TRUE(material.set.is_of_target(material.set.tasks[id]));
}

TEST(TargetLabels, AreRelativeToTheBestOfThemAndTheOthersAreGone) {
  const std::vector<std::string> sets = {made({.tasks = 6, .programs = 40, .structures = 6}, "old"),
                                         made({.tasks = 6, .programs = 40, .structures = 6}, "new")};
  const Material material = few_labels(sets, 60);
  const DataSet& set = material.set;
  const DataSet all = load_data_sets(sets, "min");
  const std::set<Program> labelled = labelled_of_target(material);
  for (const std::uint32_t id : material.split.training) {
    const Task& task = set.tasks[id];
    float best = 0;
    for (const Program program : task.programs) {
      best = std::max(best, set.speed[program]);
      EXPECT_TRUE(!set.is_of_target(task) || labelled.count(program) == 1);
      if (set.works[program] == 0) continue;
      EXPECT_NEAR(task.best_s / set.speed[program], all.tasks[id].best_s / all.speed[program], 1e-6);
    }
    EXPECT_FLOAT_EQ(best, 1);
    EXPECT_EQ(task.programs.size() + task.unlabelled.size(), 40U);
    for (const Program program : task.unlabelled) EXPECT_TRUE(std::isnan(set.speed[program]));
  }
}

TEST(TargetLabels, CanBeNamedOneByOne) {
  const std::vector<std::string> sets = {made({.tasks = 6, .structures = 6}, "old"),
                                         made({.tasks = 6, .structures = 6}, "new")};
  const std::string file = temporary_file("programs");
  const Target target{.platform = "new", .labels = {}, .programs = file};
  std::ofstream(file) << "0\n1\n2\n41\n42\n100\n101\n";
  const Material material = load_material(sets, kOptions, {}, target);
  EXPECT_EQ(labelled_of_target(material), (std::set<Program>{120, 121, 122, 161, 162, 220, 221}));
  EXPECT_TRUE(material.warnings.empty());
  const Material without = load_material(sets, kOptions, {0, 3}, target);
  EXPECT_LT(without.set.platforms[0].labels, 7U);
  EXPECT_EQ(without.warnings.size(), 1U);
  for (const char* wrong : {"0\nx\n", "120\n", "-1\n", "1.5\n"}) {
    std::ofstream(file) << wrong;
    EXPECT_NE(error_of([&] { load_material(sets, kOptions, {}, target); }).find("no program of new"),
              std::string::npos);
  }
}

TEST(TargetLabels, OfATargetAloneCannotAllBeMissing) {
  EXPECT_NE(error_of([&] { few_labels({made({}, "new")}, 0); }).find("no program is left"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::train
