// Scorers whose dependence on a program is known: what they look at is what is held responsible.
#include "tune/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "feature/names.h"
#include "record/import.h"
#include "record/record.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"
#include "task/key.h"
#include "task/text.h"
#include "tune/nearest_programs.h"

namespace hone::tune {
namespace {

std::size_t column(const std::string& name) {
  const std::vector<std::string>& names = feature::statement_names();
  return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

// The logarithm of its score is the sum of one column over all statements; what it reads last is the
// first row.
class OneColumn final : public score::Predictor {
 public:
  explicit OneColumn(std::size_t column) : column_(column) {}
  std::vector<score::Prediction> predict(std::span<const score::Sample> samples) const override {
    std::vector<score::Prediction> out;
    for (const score::Sample& sample : samples) {
      const score::View& view = sample.views.front();
      double sum = 0;
      for (std::size_t at = column_; at < view.values.size(); at += view.columns)
        sum += double{view.values[at]};
      out.push_back({.score = std::exp(sum), .hidden = view.values});
      out.back().hidden.resize(view.columns);
    }
    return out;
  }

 private:
  std::size_t column_;
};

// The same of rows that are joined with what is known of the task.
class OneTableColumn final : public score::Predictor {
 public:
  explicit OneTableColumn(std::size_t column) : column_(column) {}
  std::vector<score::Prediction> predict(std::span<const score::Sample> samples) const override {
    constexpr std::size_t kColumns = 164 + 9;
    std::vector<score::Prediction> out;
    for (const score::Sample& sample : samples) {
      EXPECT_EQ(sample.values.size(), kColumns * sample.n_rows());
      double sum = 0;
      for (std::size_t i = 0; i < sample.n_rows(); ++i) sum += double{sample.row(i)[column_]};
      out.push_back({.score = std::exp(sum)});
    }
    return out;
  }

 private:
  std::size_t column_;
};

AnyScorer looking_at(const std::string& name) {
  return {.header = {.kind = "test", .features = {}, .data_hash = {}, .tasks = {}},
          .model = std::make_shared<OneColumn>(column(name)),
          .sections = {"statements"}};
}

constexpr const char* kSteps = R"([["SP", 2, 0, 64, [8], 1], ["SP", 2, 2, 32, [16], 1],
  ["RE", 2, [0, 2, 4, 1, 3]], ["AN", 2, 0, 3], ["AN", 2, 4, 2], ["PR", 2, 0, "auto_unroll_max_step$16"]])";

Subject matmul(const char* steps = kSteps) {
  const target::Target target = target::parse("avx2");
  return {.task = std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=32,k=16")),
          .steps = schedule::steps_from_json(steps),
          .hardware = space::hardware_of(target),
          .target = target,
          .space = SpaceKind::Ansor};
}

TEST(Explain, OneColumnHasAllOfTheResponsibility) {
  const Explanation found = explain(matmul(), looking_at("vec_len"), {.samples = 32});
  ASSERT_FALSE(found.aspects.empty());
  EXPECT_EQ(found.samples, 32U);
  EXPECT_EQ(found.aspects[0].aspect, feature::Aspect::Vector);
  EXPECT_EQ(found.aspects[0].stage, 2);
  EXPECT_DOUBLE_EQ(found.aspects[0].share, 1);
  for (std::size_t i = 1; i < found.aspects.size(); ++i) EXPECT_EQ(found.aspects[i].share, 0);
}

TEST(Explain, TreesReadStatementsFirst) {
  const AnyScorer trees{.header = {.kind = "test", .features = {}, .data_hash = {}, .tasks = {}},
                        .model = std::make_shared<OneTableColumn>(column("parallel_prod")),
                        .reads = AnyScorer::Reads::Table,
                        .sections = {"statements", "embedding"}};
  const Explanation found = explain(matmul(), trees, {.samples = 32});
  ASSERT_FALSE(found.aspects.empty());
  EXPECT_EQ(found.aspects[0].aspect, feature::Aspect::Parallel);
  EXPECT_DOUBLE_EQ(found.aspects[0].share, 1);
}

TEST(Explain, StepsThatMoveTheColumnMoveTheScore) {
  const Explanation found = explain(matmul(), looking_at("auto_unroll_max_step"), {.samples = 8});
  ASSERT_EQ(found.steps.size(), 6U);
  for (std::size_t i = 0; i < 5; ++i)
    for (const Otherwise& other : found.steps[i].others) EXPECT_EQ(other.gain, 0) << i;
  const std::vector<Otherwise>& limits = found.steps[5].others;
  ASSERT_EQ(limits.size(), 3U);
  EXPECT_EQ(found.steps[5].text.value, "unroll 16");
  EXPECT_EQ(limits.front().value, "unroll 512");
  EXPECT_NEAR(limits.front().gain, std::log2(513.) - std::log2(17.), 1e-4);
  EXPECT_TRUE(limits.back().is_undone);
  EXPECT_NEAR(limits.back().gain, -std::log2(17.), 1e-4);
  EXPECT_GE(limits.back().rank, found.rank);
}

TEST(Explain, ThreadsAndCallsDoNotChangeIt) {
  const AnyScorer scorer = looking_at("B0.stride");
  const Explanation one = explain(matmul(), scorer, {.samples = 16, .threads = 1});
  const Explanation two = explain(matmul(), scorer, {.samples = 16, .threads = 3});
  EXPECT_EQ(one.rank, two.rank);
  ASSERT_EQ(one.aspects.size(), two.aspects.size());
  for (std::size_t i = 0; i < one.aspects.size(); ++i)
    EXPECT_EQ(one.aspects[i].gain, two.aspects[i].gain);
}

TEST(Explain, NetworksWithoutTreesSayAnOrder) {
  AnyScorer scorer = looking_at("vec_len");
  EXPECT_FALSE(tells_speed(scorer));
  scorer.header.kind = "hone";
  EXPECT_FALSE(tells_speed(scorer));
  scorer.header.metrics = {{"trees", 200}};
  EXPECT_TRUE(tells_speed(scorer));
}

TEST(Explain, CodeOfGpusIsRefused) {
  Subject subject = matmul();
  subject.hardware.kind = space::Hardware::Kind::Gpu;
  const AnyScorer analytic = load_any_scorer("analytic", subject.target, "");
  EXPECT_THROW(explain(subject, analytic, {}), UserError);
  EXPECT_THROW(load_any_scorer("/nowhere/a.scorer", subject.target, ""), UserError);
}

TEST(Explain, AnalyticBlamesCode) {
  const Subject subject = matmul();
  const Explanation found =
      explain(subject, load_any_scorer("analytic", subject.target, ""), {.samples = 16});
  ASSERT_FALSE(found.aspects.empty());
  EXPECT_EQ(found.aspects[0].aspect, feature::Aspect::Code);
  EXPECT_DOUBLE_EQ(found.aspects[0].share, 1);
}

// A set of some programs of one task: the subject's own is the second.
class NearestTest : public testing::Test {
 protected:
  NearestTest() {
    const std::string key = task::tvm_key(*subject_.task);
    std::string lines;
    for (const char* unroll : {"0", "16", "64", "512"}) {
      std::string steps = kSteps;
      steps.replace(steps.find("$16") + 1, 2, unroll);
      record::Record record;
      record.workload_key = key;
      record.target = "llvm";
      record.hardware = {4, 32, 64, 0, 0, 0, 0, 0};
      record.steps = schedule::steps_from_json(steps);
      record.costs = {1e-3};
      record.timestamp = 1;
      lines += record::to_line(record) + "\n";
    }
    std::string dag = R"({"workload_key": )";
    append_json_string(dag, key);
    dag += R"(, "dag": )";
    append_json_string(dag, task::print(*subject_.task));
    write_whole(file("log.json"), lines);
    write_whole(file("dags.json"), dag + "}\n");
    record::ImportOptions options;
    options.logs = {file("log.json")};
    options.output = file("set.hds");
    options.machine = "i7";
    options.dags = file("dags.json");
    record::import_logs(options,
                        [](const record::ImportProblem& problem) { ADD_FAILURE() << problem.reason; });
  }
  std::string file(const char* name) const { return (folder_.path() / name).string(); }

  const TemporaryFolder folder_;
  const Subject subject_ = matmul();
};

TEST_F(NearestTest, AProgramOfTheSetIsNearestToItself) {
  const record::Dataset set = record::Dataset::open(file("set.hds"));
  ASSERT_EQ(set.n_programs(), 4U);
  const NearestPrograms found =
      nearest_programs(looking_at("vec_len"), subject_, set,
                       {.tasks = {0}, .hardware = {subject_.hardware}, .count = 3, .threads = 2});
  EXPECT_TRUE(found.is_by_hidden);
  EXPECT_EQ(found.compared, 4U);
  EXPECT_EQ(found.unread, 0U);
  ASSERT_EQ(found.nearest.size(), 3U);
  EXPECT_EQ(found.nearest[0].number, 1U);
  EXPECT_EQ(found.nearest[0].distance, 0);
  EXPECT_EQ(found.nearest[1].number, 2U) << "64 is nearer to 16 than 0 and 512 are";
  EXPECT_GT(found.median_distance, 0);
}

TEST_F(NearestTest, WithoutAHiddenLayerSummariesAreCompared) {
  const record::Dataset set = record::Dataset::open(file("set.hds"));
  const NearestPrograms found =
      nearest_programs(load_any_scorer("analytic", subject_.target, ""), subject_, set,
                       {.tasks = {0}, .hardware = {subject_.hardware}, .count = 1});
  EXPECT_FALSE(found.is_by_hidden);
  ASSERT_EQ(found.nearest.size(), 1U);
  EXPECT_EQ(found.nearest[0].number, 1U);
}

}  // namespace
}  // namespace hone::tune
