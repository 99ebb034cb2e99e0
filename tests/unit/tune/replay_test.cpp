// Runs on recorded times: the whole loop with real space, features, model and search, and no machine.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/md5.h"
#include "record/writer.h"
#include "space/space.h"
#include "task/catalogue.h"
#include "task/key.h"
#include "tests/shared_data.h"
#include "tune/tune.h"

namespace hone::tune {
namespace {

const std::shared_ptr<const task::Task> kTask =
    std::make_shared<const task::Task>(task::from_op("matmul:m=16,n=32,k=64"));

// A log of random candidates with invented times, every seventh of them a failure.
std::string write_log(int count, bool all_fail = false) {
  const std::string path = temporary_file("log.jsonl");
  std::filesystem::remove(path);
  const target::Target target = target::parse("avx2");
  const space::Hardware hardware = space::hardware_of(target);
  const space::Space space = space::ansor_space(kTask, space::sketches(kTask, hardware), hardware);
  record::Writer writer(path);
  record::Record record;
  record.workload_key = task::tvm_key(*kTask);
  record.target = target::to_string(target);
  const auto numbers = space::to_numbers(hardware);
  record.hardware.assign(numbers.begin(), numbers.end());
  std::set<std::string> seen;
  Random random(5, 0);
  while (static_cast<int>(seen.size()) < count) {
    const auto decisions = space.sample(random);
    if (!decisions) continue;
    record.steps = space.decode(*decisions).value();
    const std::string key = candidate_of(record.steps).key;
    if (!seen.insert(key).second) continue;
    const double time_s = 1e-6 * (1 + std::stoi(md5_hex(key).substr(0, 4), nullptr, 16) % 1000);
    const bool fails = all_fail || seen.size() % 7 == 0;
    record.error = fails ? 5 : 0;
    record.costs = {fails ? 1e10 : time_s};
    record.all_cost = 0.125;
    writer.append(record);
  }
  return path;
}

struct Outcome {
  Summary summary;
  std::vector<std::string> lines;  // records and what was noted of them
};

Outcome replay(Options options) {
  options.folder = temporary_file("run");
  options.fresh = true;
  const std::atomic<bool> stop = false;
  Outcome outcome;
  outcome.summary = run(make_parts(kTask, options), options, {}, stop);
  std::ifstream log(options.folder + "/records.jsonl");
  for (std::string line; std::getline(log, line);) {
    if (line[0] == '{' || line.starts_with("# {\"trial\"")) outcome.lines.push_back(line);
  }
  std::filesystem::remove_all(options.folder);
  return outcome;
}

TEST(Replay, OneSeedGivesOneRunBitForBitWithAnyNumberOfThreads) {
  Options options;
  options.replay = write_log(150);
  options.trials = 60;
  for (const SearchKind search :
       {SearchKind::Evolution, SearchKind::Annealing, SearchKind::Coordinate, SearchKind::Random}) {
    options.search = search;
    options.seed = 1;
    options.jobs = 1;
    const Outcome one = replay(options);
    EXPECT_EQ(one.lines.size(), 120u);
    EXPECT_DOUBLE_EQ(one.summary.progress.at_s, 60 * 0.125) << "the clock of the records";
    for (const int jobs : {1, 2, 5}) {
      options.jobs = jobs;
      EXPECT_EQ(replay(options).lines, one.lines) << jobs;
    }
    options.seed = 2;
    EXPECT_NE(replay(options).lines, one.lines);
  }
}

TEST(Replay, FindsTheBestOfTheLogAndEndsWithIt) {
  Options options;
  options.replay = write_log(40);
  const Outcome all = replay(options);
  EXPECT_TRUE(all.summary.exhausted);
  EXPECT_EQ(all.summary.progress.trials, 40);
  EXPECT_EQ(all.summary.progress.failed(), 5);
  EXPECT_TRUE(std::isnan(all.summary.baseline_s())) << "nobody measured the untuned candidate";
  EXPECT_TRUE(all.summary.finals);
}

TEST(Replay, ALogOfFailuresHasNoAnswer) {
  Options options;
  options.replay = write_log(20, true);
  const Outcome none = replay(options);
  EXPECT_FALSE(none.summary.has_answer());
  EXPECT_EQ(none.summary.progress.failures.at(5).count, 20);
}

TEST(Replay, RefusesALogWithoutTheTask) {
  Options options;
  options.replay = write_log(3);
  options.folder = temporary_file("run");
  const auto other = std::make_shared<const task::Task>(task::from_op("matmul:m=8,n=8,k=8"));
  EXPECT_THROW(make_parts(other, options), UserError);
}

}  // namespace
}  // namespace hone::tune
