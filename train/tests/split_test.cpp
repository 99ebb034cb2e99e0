#include "train/split.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "train/batches.h"
#include "train/tests/fixture.h"

namespace hone::train {
namespace {

DataSet made(const MadeUp& made_up) {
  const std::string path = temporary_file("set.hds");
  write_made_up_set(path, made_up);
  return load_data_set(path, "min");
}

std::set<std::string> structures(const DataSet& set, const TaskIds& tasks) {
  std::set<std::string> out;
  for (const std::uint32_t task : tasks) out.insert(set.tasks[task].structure);
  return out;
}

TEST(DataSet, SpeedIsRelativeToTheBestOfTheTask) {
  const DataSet set = made({});
  for (const Task& task : set.tasks) {
    float fastest = 0;
    for (const Program program : task.programs) {
      fastest = std::max(fastest, set.speed[program]);
      EXPECT_EQ(set.speed[program] == 0, set.works[program] == 0);
    }
    EXPECT_FLOAT_EQ(fastest, 1);
  }
}

TEST(Split, FoldsCoverAllTasksAndShareNoStructure) {
  const DataSet set = made({.tasks = 30, .structures = 11});
  TaskIds all(30);
  for (std::uint32_t i = 0; i < 30; ++i) all[i] = i;
  const std::vector<TaskIds> folds = deal_folds(set, all, 4, 7);
  std::set<std::string> seen;
  std::size_t tasks = 0, n_structures = 0;
  for (const TaskIds& fold : folds) {
    EXPECT_FALSE(fold.empty());
    const std::set<std::string> own = structures(set, fold);
    seen.insert(own.begin(), own.end());
    n_structures += own.size();
    tasks += fold.size();
  }
  EXPECT_EQ(tasks, 30U);
  EXPECT_EQ(n_structures, 11U);
  EXPECT_EQ(seen.size(), 11U);
}

TEST(Split, WhatIsHeldOutIsNotLearnedFrom) {
  const DataSet set = made({.tasks = 30, .structures = 11});
  const Split split = split_tasks(set, {.number = 2, .of = 5}, 0.2, 3);
  for (const std::string& structure : structures(set, split.validation))
    EXPECT_EQ(structures(set, split.training).count(structure), 0U);
  const Split other = split_tasks(set, {.number = 2, .of = 5}, 0.2, 4);
  const auto both = [](const Split& of) {
    std::set<std::uint32_t> ids(of.training.begin(), of.training.end());
    ids.insert(of.validation.begin(), of.validation.end());
    return ids;
  };
  EXPECT_EQ(both(split), both(other));  // the fold does not depend on the seed
  EXPECT_LT(both(split).size(), 30U);
  EXPECT_NE(split.validation, other.validation);
}

TEST(Batches, VisitEachProgramOnce) {
  const DataSet set = made({.tasks = 5, .programs = 21});
  for (const std::size_t list : {0, 8}) {
    std::multiset<Program> visited;
    for (const ListBatch& batch : batches_of_epoch(set, {0, 1, 3}, {16, list}, 1, 2)) {
      std::size_t size = 0;
      for (const List& programs : batch) {
        visited.insert(programs.begin(), programs.end());
        size += programs.size();
        if (list == 0) continue;
        EXPECT_LE(programs.size(), list);
        EXPECT_GE(programs.size(), 2U);
        for (const Program program : programs)
          EXPECT_EQ(set.task_of[program], set.task_of[programs[0]]);
      }
      EXPECT_LE(size, 16U);
    }
    EXPECT_EQ(visited.size(), 63U);
    EXPECT_EQ(std::set<Program>(visited.begin(), visited.end()).size(), 63U);
  }
}

TEST(Batches, VisitSoManyOfATaskAndOthersInTheNextEpoch) {
  const DataSet set = made({.tasks = 5, .programs = 21});
  for (const std::size_t list : {0, 4}) {
    std::set<Program> ever;
    for (const std::uint64_t epoch : {1, 2, 3, 4, 5, 6}) {
      std::map<std::uint32_t, std::size_t> visits;
      for (const ListBatch& batch : batches_of_epoch(set, {0, 3}, {16, list, 6}, 1, epoch))
        for (const List& programs : batch)
          for (const Program program : programs) {
            ++visits[set.task_of[program]];
            ever.insert(program);
          }
      EXPECT_EQ(visits, (std::map<std::uint32_t, std::size_t>{{0, 6}, {3, 6}}));
    }
    EXPECT_GT(ever.size(), 24U);
  }
}

TEST(Batches, HaveAsManyListsOfATaskAsTheySay) {
  const DataSet set = made({.tasks = 2, .programs = 21});
  for (const Visits& visits : {Visits{16, 4}, Visits{16, 4, 6}, Visits{16, 7}, Visits{64, 64}}) {
    std::size_t lists = 0;
    for (const ListBatch& batch : batches_of_epoch(set, {1}, visits, 1, 1)) lists += batch.size();
    EXPECT_EQ(lists, lists_of_task(21, visits)) << visits.list << " " << visits.per_task;
  }
}

TEST(Batches, AreAFunctionOfSeedAndEpoch) {
  const DataSet set = made({});
  const auto of = [&](std::uint64_t seed, std::uint64_t epoch) {
    return batches_of_epoch(set, {0, 1}, {8, 4}, seed, epoch);
  };
  EXPECT_EQ(of(1, 1), of(1, 1));
  EXPECT_NE(of(1, 1), of(1, 2));
  EXPECT_NE(of(1, 1), of(2, 1));
}

}  // namespace
}  // namespace hone::train
