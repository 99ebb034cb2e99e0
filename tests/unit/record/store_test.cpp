#include "record/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "task/catalogue.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

const std::string kTarget = "znver4", kCompiler = "hone 1, LLVM 19";

task::Task matmul(int m, int n = 64, int k = 64) {
  return task::from_op("matmul:m=" + std::to_string(m) + ",n=" + std::to_string(n) +
                       ",k=" + std::to_string(k));
}

// Candidates are numbers.
Record numbered(int number, double seconds, const std::string& target = kTarget) {
  Record record;
  record.workload_key = "k";
  record.target = target;
  record.hardware.assign(kHardwareNumbers, 0);
  record.steps = {schedule::ComputeInline{number}};
  record.costs = {seconds};
  return record;
}

std::vector<int> numbers_of(const std::vector<Record>& records) {
  std::vector<int> numbers;
  for (const Record& record : records)
    numbers.push_back(std::get<schedule::ComputeInline>(record.steps.at(0)).stage);
  return numbers;
}

class StoreTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<int> best(const task::Task& task, const std::string& target = kTarget) {
    return numbers_of(Store(path_).best(task, target, kCompiler, 100));
  }
  std::vector<int> similar(const task::Task& task, int limit = 100) {
    return numbers_of(Store(path_).similar(task, kTarget, kCompiler, limit));
  }

  const std::string folder_ = temporary_file("home");
  const std::string path_ = folder_ + "/deep/records.db";
};

TEST_F(StoreTest, GivesTheFastestOfATaskAndTargetFirst) {
  Store store(path_);
  store.add(matmul(64), numbered(1, 3e-3), kCompiler);
  store.add(matmul(64), numbered(2, 1e-3), kCompiler);
  store.add(matmul(64), numbered(3, 2e-3), kCompiler);
  store.add(matmul(64), numbered(4, 1e-4, "avx2"), kCompiler);
  store.add(matmul(32), numbered(5, 1e-4), kCompiler);
  EXPECT_EQ(best(matmul(64)), (std::vector<int>{2, 3, 1}));
  EXPECT_EQ(best(matmul(64), "avx2"), (std::vector<int>{4}));
  EXPECT_TRUE(best(matmul(16)).empty());
  EXPECT_EQ(store.best(matmul(64), kTarget, kCompiler, 2).size(), 2u);
}

TEST_F(StoreTest, ARecordComesBackAsItWas) {
  Record record = numbered(1, 3e-3);
  record.steps.emplace_back(schedule::Prefetch{.stage = 1, .iter = 0, .operand = 0, .iterations = 4});
  Store(path_).add(matmul(64), record, kCompiler);
  EXPECT_EQ(to_line(Store(path_).best(matmul(64), kTarget, kCompiler, 1).at(0)), to_line(record));
}

TEST_F(StoreTest, KeepsTheFastestEightAndTheLastTimeOfEach) {
  Store store(path_);
  for (int number = 0; number < 12; ++number)
    store.add(matmul(64), numbered(number, 1e-3 * (20 - number)), kCompiler);
  EXPECT_EQ(best(matmul(64)), (std::vector<int>{11, 10, 9, 8, 7, 6, 5, 4}));
  store.add(matmul(64), numbered(11, 1), kCompiler);
  EXPECT_EQ(best(matmul(64)), (std::vector<int>{10, 9, 8, 7, 6, 5, 4, 11}));
}

TEST_F(StoreTest, FailedTrialsAreNotTaken) {
  Record record = numbered(1, 1e10);
  record.error = 4;
  Store(path_).add(matmul(64), record, kCompiler);
  EXPECT_TRUE(best(matmul(64)).empty());
}

TEST_F(StoreTest, TimesOfAnotherCompilerComeAfterThoseOfThisOne) {
  Store store(path_);
  store.add(matmul(64), numbered(1, 1e-3), "hone 0, LLVM 18");
  store.add(matmul(64), numbered(2, 2e-3), kCompiler);
  EXPECT_EQ(best(matmul(64)), (std::vector<int>{2, 1}));
  EXPECT_EQ(best_cost(store.proven(matmul(64), kTarget, kCompiler).value()), 2e-3);
  EXPECT_FALSE(store.proven(matmul(64), kTarget, "hone 2, LLVM 20"));
}

TEST_F(StoreTest, SimilarTasksComeNearestFirstEachWithItsFastest) {
  Store store(path_);
  store.add(matmul(512), numbered(1, 1e-3), kCompiler);
  store.add(matmul(128), numbered(2, 3e-3), kCompiler);
  store.add(matmul(128), numbered(3, 2e-3), kCompiler);
  store.add(matmul(64), numbered(4, 1e-3), kCompiler);
  store.add(task::from_op("matmul:m=64,n=64,k=64+relu"), numbered(5, 1e-3), kCompiler);
  EXPECT_EQ(similar(matmul(64)), (std::vector<int>{3, 1})) << "not the task itself, not another one";
  EXPECT_EQ(similar(matmul(400)), (std::vector<int>{1, 3, 4}));
  EXPECT_EQ(similar(matmul(400), 1), (std::vector<int>{1}));
}

TEST_F(StoreTest, ManyMayUseItAtOnce) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (int number = 0; number < 10; ++number)
        Store(path_).add(matmul(1 + 10 * thread + number), numbered(number, 1e-3), kCompiler);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(similar(matmul(1000)).size(), 40u);
}

TEST_F(StoreTest, WhatIsNoStoreIsAnErrorWithAHint) {
  std::filesystem::create_directories(folder_);
  const std::string path = folder_ + "/records.db";
  std::ofstream(path) << "this is text and long enough to be taken for the header of a database......";
  try {
    const Store store(path);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("not a database"), std::string::npos) << error.what();
    EXPECT_FALSE(error.hint().empty());
  }
  EXPECT_THROW(Store(path + "/inside/records.db"), UserError);
}

TEST_F(StoreTest, RefusesTheStoreOfANewerHone) {
  {
    const Store store(path_);
  }
  Sqlite(path_).execute("PRAGMA user_version = 2");
  EXPECT_THROW(Store{path_}, UserError);
}

TEST_F(StoreTest, RowsThatMakeNoSenseAreErrors) {
  Store store(path_);
  store.add(matmul(64), numbered(1, 1e-3), kCompiler);
  Sqlite(path_).execute("UPDATE winner SET record = 'x'");
  EXPECT_THROW(best(matmul(64)), UserError);
  Sqlite(path_).execute("UPDATE winner SET sizes = '[1]'");
  EXPECT_THROW(similar(matmul(64)), UserError);
}

}  // namespace
}  // namespace hone::record
