#include "record/dataset_stats.h"

#include <gtest/gtest.h>

#include "record/dataset_check.h"
#include "record/dataset_writer.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

// A program is a number, and so is its task.
Record trial(int task, int program, std::vector<double> costs, int error = 0) {
  Record record;
  record.workload_key = "[\"" + std::to_string(task) + "\"]";
  record.target = "llvm";
  record.steps = {schedule::ComputeInline{program}};
  record.costs = std::move(costs);
  record.error = error;
  return record;
}

Dataset set_of(const std::vector<Record>& records, const std::string& name = "set.hds") {
  const std::string path = temporary_file(name);
  DatasetWriter writer(path);
  DatasetPart part("i7", writer.add_source("here"));
  for (std::size_t i = 0; i < records.size(); ++i)
    part.add(records[i], static_cast<std::int64_t>(i) + 1);
  writer.append(part);
  writer.finish();
  return Dataset::open(path);
}

TEST(DatasetStats, FloorIsWhatRandomPicksReach) {
  // Of two tasks: picks of 1, 2 and 4 s, and one that fails beside one of 3 s.
  const DatasetStats stats = stats_of(set_of({trial(0, 0, {1}), trial(0, 1, {2, 5}), trial(0, 2, {4}),
                                              trial(1, 0, {3}), trial(1, 1, {1e10}, 4)}));
  EXPECT_NEAR(stats.floor.top1, ((1 + 0.5 + 0.25) / 3 + (1 + 1e-5) / 2) / 2, 1e-9);
  EXPECT_NEAR(stats.floor.top5, 1, 1e-9);
  EXPECT_NEAR(stats.floor.pooled_top1, (1 + 3) / (7.0 / 3 + (3 + 3e5) / 2), 1e-9);
  EXPECT_EQ(stats.floor.tasks, 2);
  EXPECT_EQ(stats.statuses[4], 1);
  EXPECT_EQ(stats.repeats.count, 1);
}

TEST(DatasetStats, TopFiveOfManyIsTheExpectedBestOfFive) {
  std::vector<Record> records;
  for (int i = 1; i <= 6; ++i) records.push_back(trial(0, i, {static_cast<double>(i)}));
  // Only the draw that leaves out the best misses it: one of six.
  EXPECT_NEAR(stats_of(set_of(records)).floor.top5, 5.0 / 6 + 0.5 / 6, 1e-6);
}

TEST(DatasetStats, TasksWithoutAnAnswerAreCountedApart) {
  const DatasetStats stats = stats_of(set_of({trial(0, 0, {1e10}, 2), trial(1, 0, {1})}));
  EXPECT_EQ(stats.tasks_without_answer, 1);
  EXPECT_EQ(stats.floor.tasks, 1);
  EXPECT_EQ(stats.valid, 1);
}

TEST(DatasetStats, ProgramsMeasuredAgainShowTheNoise) {
  const DatasetStats stats =
      stats_of(set_of({trial(0, 0, {1, 3}), trial(0, 0, {1.5, 1.5}), trial(1, 0, {9})}));
  EXPECT_EQ(stats.repeated, 1);
  EXPECT_EQ(stats.distinct, 1);
  EXPECT_NEAR(stats.minima.median, 1.5, 1e-6);
  EXPECT_NEAR(stats.means.median, 2 / 1.5, 1e-6);
}

TEST(DatasetStats, CollisionsAreOfDifferentStepsOnly) {
  const Dataset set =
      set_of({trial(0, 0, {1}), trial(0, 0, {1.25}), trial(0, 1, {2}), trial(0, 2, {4})});
  const auto all_alike = [](std::size_t) -> std::uint64_t { return 7; };
  const auto by_steps = [&](std::size_t program) { return hds::hash_of(set.code(program)); };
  const Collisions alike = collisions_of(set, all_alike, 2), exact = collisions_of(set, by_steps, 1);
  EXPECT_EQ(alike.distinct, 1);
  EXPECT_EQ(alike.colliding, 4);
  EXPECT_NEAR(alike.labels.median, 0.75, 1e-6);
  EXPECT_EQ(exact.distinct, 3);
  EXPECT_EQ(exact.colliding, 0);
}

TEST(DatasetCheck, WholeSetsHaveNoFault) {
  const Dataset set = set_of({trial(0, 0, {1, 2}), trial(0, 1, {1e10}, 6), trial(1, 0, {}, 0)});
  EXPECT_EQ(check_dataset(set, [](const std::string& reason) { ADD_FAILURE() << reason; }), 0);
}

TEST(DatasetCheck, AlignmentIsByWorkloadAndPlace) {
  const Dataset a = set_of({trial(0, 0, {1}), trial(1, 5, {1}), trial(0, 1, {1})}, "a.hds");
  const Dataset b =
      set_of({trial(1, 5, {1}), trial(0, 0, {1}), trial(0, 2, {1}), trial(0, 3, {1})}, "b.hds");
  std::vector<std::string> faults;
  const Alignment alignment =
      align_datasets(a, b, [&](const std::string& reason) { faults.push_back(reason); });
  EXPECT_EQ(alignment.workloads, 2);
  EXPECT_EQ(alignment.aligned, 2);
  EXPECT_EQ(alignment.misaligned, 1);
  EXPECT_EQ(alignment.missing, 1);
  EXPECT_EQ(faults, std::vector<std::string>{"here:3 and here:3 are different programs"});
}

}  // namespace
}  // namespace hone::record
