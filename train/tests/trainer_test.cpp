#include "train/trainer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "score/scorer_file.h"
#include "train/kinds.h"
#include "train/network_file.h"
#include "train/predict.h"
#include "train/tests/fixture.h"

namespace hone::train {
namespace {

const std::atomic<bool> kNever = false;
const Listener kSilent = [](const Event&) {};

std::string contents(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

class Trainer : public testing::Test {
 protected:
  Job job(const std::string& kind, const std::vector<std::string>& settings, const MadeUp& made_up = {},
          const std::string& output = "scorer") {
    const std::string set = temporary_file("set.hds");
    write_made_up_set(set, made_up);
    std::filesystem::remove(temporary_file(output));
    Job job{.sets = {set},
            .kind = kind,
            .output = temporary_file(output),
            .options = kind_named(kind).defaults(),
            .fresh = true};
    job.options.set_all({"batch=64", "list=" + std::string(kind == "hone" ? "16" : "0"), "epochs=3"});
    job.options.set_all(settings);
    return job;
  }
};

score::ModelHeader header_of(const Job& job) {
  return score::parse_scorer(contents(job.output), job.output).header;
}

std::string error_of(const Job& job) {
  try {
    train(job, kSilent, kNever);
    return "";
  } catch (const UserError& error) {
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error.what();
  }
}

// Whoever predicts in the process that has trained does so with all bits.
TEST_F(Trainer, LeavesProductsAsTheyWere) {
  const auto are_short = [] {
    return at::globalContext().allowTF32CuBLAS() || at::globalContext().allowTF32CuDNN();
  };
  choose_device("cpu");
  ASSERT_FALSE(are_short());
  bool were_short = false;
  const Listener watch = [&](const Event&) { were_short |= are_short(); };
  ASSERT_EQ(train(job("tenset-mlp", {"epochs=1"}), watch, kNever), Outcome::Done);
  EXPECT_FALSE(were_short);
  EXPECT_FALSE(are_short());
}

TEST_F(Trainer, EveryKindLearnsWhatCanBeLearned) {
  for (const Kind& kind : kinds()) {
    const Job small =
        job(kind.name,
            {"epochs=6", "width=" + std::string(kind.name.ends_with("tlp") ? "256" : "32"),
             "learning_rate=3e-3"},
            {.tasks = 4, .structures = 4, .failures = false});
    ASSERT_EQ(train(small, kSilent, kNever), Outcome::Done);
    const auto curves = header_of(small).curves;
    EXPECT_EQ(curves[0].first, "loss");
    ASSERT_EQ(curves[0].second.size(), 6U);
    EXPECT_LT(curves[0].second.back(), 0.95 * curves[0].second.front()) << kind.name;
  }
}

TEST_F(Trainer, WritesWhatAJudgeMustKnow) {
  const Job made = job("tenset-mlp", {"seed=3"}, {.hopeless = true});
  std::vector<std::string> lines;
  ASSERT_EQ(
      train(made, [&](const Event& event) { lines.push_back(event.line()); }, kNever), Outcome::Done);
  const score::ModelHeader header = header_of(made);
  EXPECT_EQ(header.kind, "tenset-mlp");
  EXPECT_EQ(header.features, "statements 1, embedding 1");
  EXPECT_EQ(header.data_hash.size(), 16U);
  EXPECT_EQ(header.tasks.size(), 5U);  // the hopeless one taught nothing
  EXPECT_EQ(header.curves.size(), 4U);
  EXPECT_TRUE(std::ranges::count(header.options, std::pair<std::string, std::string>("seed", "3")));
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_NE(lines[0].find("\"event\": \"start\""), std::string::npos);
  EXPECT_NE(lines[1].find("1 tasks without a program that works"), std::string::npos);
  EXPECT_NE(lines[2].find("\"seconds_left\""), std::string::npos);
  EXPECT_NE(lines[5].find("\"done\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(made.output + ".checkpoint"));
}

TEST_F(Trainer, WhatStandsForAnOptionIsSettledInTheScorer) {
  const Job made = job("tlp", {"epochs=1", "columns=20"}, {.tasks = 2, .programs = 4, .structures = 2});
  train(made, kSilent, kNever);
  const auto options = header_of(made).options;
  EXPECT_TRUE(std::ranges::count(options, std::pair<std::string, std::string>("steps", "25")));
  EXPECT_TRUE(std::ranges::count(options, std::pair<std::string, std::string>("columns", "20")));
}

TEST_F(Trainer, OneSeedGivesOneScorer) {
  const Job first = job("hone", {}, {}, "first"), second = job("hone", {}, {}, "second");
  const Job other = job("hone", {"seed=1"}, {}, "other");
  for (const Job* each : {&first, &second, &other}) train(*each, kSilent, kNever);
  EXPECT_EQ(contents(first.output), contents(second.output));
  EXPECT_NE(contents(first.output), contents(other.output));
}

TEST_F(Trainer, GoesOnFromACheckpointAsIfNothingHadHappened) {
  const Job whole = job("hone", {"epochs=4"}, {}, "whole");
  Job cut = job("hone", {"epochs=4"}, {}, "cut");
  train(whole, kSilent, kNever);
  std::atomic<bool> stop = false;
  const Listener stop_after_two = [&](const Event& event) {
    stop = stop || event.line().find("\"epoch\": 2") != std::string::npos;
  };
  ASSERT_EQ(train(cut, stop_after_two, stop), Outcome::Stopped);
  EXPECT_FALSE(std::filesystem::exists(cut.output));
  cut.fresh = false;
  EXPECT_NE(error_of(cut).find("earlier training"), std::string::npos);
  cut.resume = true;
  Job otherwise = cut;
  otherwise.options.set("learning_rate", "1");
  EXPECT_NE(error_of(otherwise).find("another training"), std::string::npos);
  ASSERT_EQ(train(cut, kSilent, kNever), Outcome::Done);
  EXPECT_EQ(contents(cut.output), contents(whole.output));
}

TEST_F(Trainer, ADamagedCheckpointIsNamed) {
  Job made = job("hone", {});
  std::ofstream(made.output + ".checkpoint") << "nothing";
  made.fresh = false;
  made.resume = true;
  EXPECT_NE(error_of(made).find("no intact checkpoint"), std::string::npos);
}

TEST_F(Trainer, ALossThatIsNoNumberEndsItAndKeepsTheCheckpoint) {
  const Job made = job("tenset-mlp", {"learning_rate=1e30", "clip=0", "loss=mse"});
  EXPECT_NE(error_of(made).find("no number any more"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(made.output + ".checkpoint"));
  EXPECT_FALSE(std::filesystem::exists(made.output));
}

TEST_F(Trainer, ADiskThatTakesNothingIsNoticedBeforeTheFirstEpoch) {
  Job made = job("tenset-mlp", {});
  made.output = "/nowhere/scorer";
  EXPECT_NE(error_of(made).find("cannot write /nowhere/scorer.checkpoint"), std::string::npos);
}

TEST_F(Trainer, TasksOfOneProgramDoNotDisturb) {
  for (const char* kind : {"hone", "tlp"})
    EXPECT_EQ(error_of(job(kind, {}, {.tasks = 12, .programs = 1, .structures = 12})), "") << kind;
}

TEST_F(Trainer, SetsThatCannotTeachAreRefused) {
  EXPECT_NE(error_of(job("tlp", {}, {.tasks = 1, .hopeless = true})).find("no task to learn from"),
            std::string::npos);
  EXPECT_NE(error_of(job("tlp", {}, {.tasks = 0})).find("no task to learn from"), std::string::npos);
}

TEST_F(Trainer, OptionsThatMeanNothingAreRefused) {
  for (const char* setting : {"label=median", "select=first", "schedule=steps", "backend=gru",
                              "batch=0", "list=100", "width=300"})
    EXPECT_NE(error_of(job("tlp", {setting})), "") << setting;
}

TEST_F(Trainer, AFoldThatIsLeftOutIsNotAmongTheTasks) {
  Job made = job("tenset-mlp", {"epochs=1"}, {.tasks = 9, .structures = 9});
  made.left_out = {.number = 1, .of = 3};
  train(made, kSilent, kNever);
  EXPECT_EQ(header_of(made).tasks.size(), 6U);
}

void expect_scores_of_the_model(const Job& made) {
  train(made, kSilent, kNever);
  const std::string scores = temporary_file("scores.npy");
  predict(made.output, made.sets.front(), scores, false, "cpu");
  const std::string bytes = contents(scores);
  EXPECT_EQ(bytes.substr(1, 5), "NUMPY");
  EXPECT_NE(bytes.find("'shape': (120,)"), std::string::npos);
  ASSERT_EQ(bytes.size() % 64, 120 * sizeof(float) % 64);
  const auto* values = reinterpret_cast<const float*>(bytes.data() + bytes.size()) - 120;

  const DataSet set = load_data_set(made.sets.front(), "min");
  const Split split = split_tasks(set, {}, made.options.number("validation"), 0);
  double top1 = 0;
  for (const std::uint32_t task : split.validation) {
    const std::vector<Program>& programs = set.tasks[task].programs;
    const auto best = std::ranges::max_element(programs, {}, [&](Program i) { return values[i]; });
    top1 += std::max(set.speed[*best], 1e-5F) / static_cast<double>(split.validation.size());
  }
  const auto metrics = header_of(made).metrics;
  const auto found =
      std::ranges::find(metrics, "validation_top1", &std::pair<std::string, double>::first);
  ASSERT_NE(found, metrics.end());
  EXPECT_NEAR(found->second, top1, 1e-5);
}

TEST_F(Trainer, AScorerFileScoresLikeTheModelItWasMadeFrom) {
  expect_scores_of_the_model(job("hone", {}));
  expect_scores_of_the_model(job("atformer", {"mask=0"}));
  expect_scores_of_the_model(job("tabnet", {"select=loss", "learning_rate=0.1"}));
}

std::vector<float> predicted(const std::string& scorer, const std::string& set) {
  const std::string scores = temporary_file("scores.npy");
  predict(scorer, set, scores, false, "cpu");
  const std::string bytes = contents(scores);
  std::vector<float> values(load_data_set(set, "min").n_programs());
  std::memcpy(values.data(), bytes.data() + bytes.size() - values.size() * sizeof(float),
              values.size() * sizeof(float));
  return values;
}

TEST_F(Trainer, EachTaskIsScoredByTheFoldThatHasNotSeenIt) {
  Job made = job("tenset-mlp", {"epochs=1"}, {.tasks = 9, .structures = 9});
  const std::string name = made.output;
  std::string all;
  std::vector<std::vector<float>> of_folds;
  for (std::size_t fold = 0; fold < 3; ++fold) {
    made.left_out = {.number = fold, .of = 3};
    made.output = name + std::to_string(fold);
    train(made, kSilent, kNever);
    all += (all.empty() ? "" : ",") + made.output;
    of_folds.push_back(predicted(made.output, made.sets.front()));
  }
  const std::vector<float> joined = predicted(all, made.sets.front());
  const DataSet set = load_data_set(made.sets.front(), "min");
  for (std::size_t fold = 0; fold < 3; ++fold) {
    const auto seen = read_scorer(name + std::to_string(fold)).header.tasks;
    for (Program i = 0; i < set.n_programs(); ++i) {
      if (std::ranges::count(seen, set.tasks[set.task_of[i]].key) == 0) {
        EXPECT_NEAR(joined[i], of_folds[fold][i], 1e-5);
      }
    }
  }
  EXPECT_THROW(predicted(name + "0," + name + "0", made.sets.front()), UserError);
}

TEST_F(Trainer, AScorerForOtherFeaturesIsRefused) {
  const Job made = job("tenset-mlp", {"epochs=1"});
  train(made, kSilent, kNever);
  write_made_up_set(made.sets.front(), {.statement_columns = 9});
  try {
    predict(made.output, made.sets.front(), temporary_file("scores.npy"), true, "cpu");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("[256, 18]"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hone::train
