#include "tune/session.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "fakes.h"

namespace hone::tune {
namespace {

using measure::Status;

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}
void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// Number 7 is the fastest.
measure::Measurement seventh_wins(int number) { return takes(1e-3 * (1 + std::abs(number - 7))); }

TEST_F(SessionTest, MeasuresTheUntunedCandidateFirstAndFindsTheFastest) {
  options_.trials = 20;
  const Summary summary = tune(seventh_wins);
  EXPECT_EQ(measured_.at(0), 0);
  EXPECT_EQ(summary.progress.trials, 20);
  EXPECT_EQ(summary.state, record::RunState::Done);
  EXPECT_EQ(summary.best_steps, R"([["CI", 7]])");
  EXPECT_DOUBLE_EQ(summary.baseline_s(), 8e-3);
  EXPECT_DOUBLE_EQ(summary.best_s(), 1e-3);
  EXPECT_DOUBLE_EQ(summary.finals->speedup(), 8);
  EXPECT_EQ(summary.finals->finalists.size(), 9u) << "eight and the untuned one";
  EXPECT_DOUBLE_EQ(summary.finals->drift, 0);
  ASSERT_EQ(summary.winners.size(), 9u);
  EXPECT_EQ(number_of(summary.winners.at(0).steps), 7);
  EXPECT_EQ(summary.winners.at(0).costs, (std::vector<double>{1e-3}));
}

TEST_F(SessionTest, MeasuresStartsRightAfterTheUntunedCandidateAndOnlyOnce) {
  options_.trials = 12;
  starts_ = {50, 7, 0, 51, 50};
  Summary summary = tune(seventh_wins);
  measured_.resize(6);
  EXPECT_EQ(measured_, (std::vector<int>{0, 50, 7, 51, 1, 2}));
  EXPECT_EQ(summary.best_steps, R"([["CI", 7]])");
  options_.trials = 14;
  summary = tune(seventh_wins);
  EXPECT_EQ(summary.progress.resumed, 12);
  EXPECT_EQ(measured_.at(0), 10) << "a resumed run has measured them";
}

TEST_F(SessionTest, StartsBeyondABatchComeInTheNext) {
  options_.trials = 12;
  for (int number = 100; number < 110; ++number) starts_.push_back(number);
  tune(seventh_wins);
  EXPECT_EQ(measured_.at(7), 106);
  EXPECT_EQ(measured_.at(10), 109);
  EXPECT_EQ(measured_.at(11), 1);
}

TEST_F(SessionTest, KeepsTheUntunedCandidateWhenNothingBeatsIt) {
  options_.trials = 20;
  const Summary summary = tune([](int number) { return takes(number == 0 ? 1e-3 : 0.9995e-3); });
  EXPECT_EQ(summary.best_steps, R"([["CI", 0]])");
  EXPECT_EQ(summary.finals->winner, summary.finals->baseline);
  EXPECT_DOUBLE_EQ(summary.finals->speedup(), 1);
}

TEST_F(SessionTest, ResumesWithoutMeasuringAgain) {
  options_.trials = 13;
  tune(seventh_wins);
  options_.trials = 30;
  const Summary summary = tune(seventh_wins);
  EXPECT_EQ(summary.progress.resumed, 13);
  EXPECT_EQ(summary.progress.trials, 30);
  EXPECT_EQ(measured_.at(0), 13) << "0 to 12 were measured before";
  EXPECT_EQ(learned_before_.at(0), 13u);
  EXPECT_EQ(summary.best_steps, R"([["CI", 7]])") << "found in the first session";
  const record::RunLog log = record::read_run_log(path(kRecordsFile));
  std::set<std::string> keys;
  for (const record::LoggedTrial& trial : log.trials)
    EXPECT_TRUE(keys.insert(candidate_of(trial.record.steps).key).second);
  EXPECT_EQ(keys.size(), 30u);
  ASSERT_TRUE(log.end);
  EXPECT_EQ(log.end->state, record::RunState::Done);
}

TEST_F(SessionTest, DropsATornLineAndMeasuresItAgain) {
  options_.trials = 8;
  tune(seventh_wins);
  std::string text = contents(path(kRecordsFile));
  text.erase(text.find("# {\"round\""));
  put(path(kRecordsFile), text.substr(0, text.size() - 20));
  std::string dropped;
  listener_ = [&](const Event& event, const Progress&) {
    if (const auto* started = std::get_if<Started>(&event)) dropped = started->dropped;
  };
  const Summary summary = tune(seventh_wins);
  EXPECT_FALSE(dropped.empty());
  EXPECT_EQ(summary.progress.resumed, 7);
  EXPECT_EQ(measured_.at(0), 7);
  EXPECT_EQ(record::read_run_log(path(kRecordsFile)).trials.size(), 8u);
}

TEST_F(SessionTest, FreshForgetsWhatWasMeasured) {
  options_.trials = 9;
  tune(seventh_wins);
  options_.fresh = true;
  const Summary summary = tune(seventh_wins);
  EXPECT_EQ(summary.progress.resumed, 0);
  EXPECT_EQ(measured_.at(0), 0);
  EXPECT_EQ(record::read_run_log(path(kRecordsFile)).trials.size(), 9u);
}

TEST_F(SessionTest, WhatAnotherCompilerMeasuredDoesNotCount) {
  options_.trials = 9;
  tune(seventh_wins);
  std::string text = contents(path(kRecordsFile));
  text.replace(text.find("LLVM"), 4, "LLVX");
  put(path(kRecordsFile), text);
  const Summary summary = tune(seventh_wins);
  EXPECT_EQ(summary.stale, 9);
  EXPECT_EQ(summary.progress.resumed, 0);
  EXPECT_EQ(measured_.at(0), 0);
}

TEST_F(SessionTest, BatchesAreChosenByWhatWasKnownTwoBatchesBefore) {
  options_.trials = 40;
  for (const bool overlaps : {true, false}) {
    options_.fresh = true;
    tune(seventh_wins, 1000, overlaps);
    ASSERT_GE(learned_before_.size(), 5u);
    learned_before_.resize(5);
    EXPECT_EQ(learned_before_, (std::vector<std::size_t>{0, 0, 8, 16, 24})) << overlaps;
  }
}

TEST_F(SessionTest, GroupsFailuresByStatusWithAnExample) {
  options_.trials = 20;
  const Summary summary = tune([](int number) {
    if (number % 5 == 1) return fails(Status::WrongAnswer, "C[0] is " + std::to_string(number));
    if (number % 5 == 2) return fails(Status::RunTimeout, "too slow");
    return takes(1e-3);
  });
  const Progress& progress = summary.progress;
  EXPECT_EQ(progress.failed(), 8);
  EXPECT_EQ(progress.failures.at(5).count, 4);
  EXPECT_EQ(progress.failures.at(5).example, "C[0] is 1");
  EXPECT_EQ(progress.failures.at(7).count, 4);
  // Also after a resumption: the messages are in the log.
  const Summary resumed = tune(seventh_wins);
  EXPECT_EQ(resumed.progress.failures.at(5).example, "C[0] is 1");
}

TEST_F(SessionTest, ATaskOfWhichEveryCandidateFailsHasNoAnswer) {
  options_.trials = 12;
  const Summary summary = tune([](int) { return fails(Status::CompileHost, "no"); });
  EXPECT_FALSE(summary.has_answer());
  EXPECT_EQ(summary.state, record::RunState::Done);
  EXPECT_EQ(summary.progress.failed(), 12);
  EXPECT_FALSE(summary.finals);
  EXPECT_NE(contents(path(kSummaryFile)).find("\"best_s\": null"), std::string::npos);
}

TEST_F(SessionTest, EndsWhenTheSpaceDoes) {
  const Summary some = tune(seventh_wins, 12);
  EXPECT_EQ(some.progress.trials, 12);
  EXPECT_TRUE(some.exhausted);
  EXPECT_FALSE(some.nothing_to_tune());
  options_.fresh = true;
  EXPECT_TRUE(tune(seventh_wins, 1).nothing_to_tune());
}

TEST_F(SessionTest, StopsAfterTheBatchInFlight) {
  options_.trials = 100;
  listener_ = [&](const Event& event, const Progress& progress) {
    if (std::holds_alternative<TrialEnded>(event) && progress.trials == 11) stop_ = true;
  };
  const Summary summary = tune(seventh_wins);
  EXPECT_EQ(summary.state, record::RunState::Stopped);
  EXPECT_EQ(summary.progress.trials, 16);
  EXPECT_FALSE(summary.finals);
  EXPECT_DOUBLE_EQ(summary.best_s(), 1e-3) << "the best so far";
  ASSERT_EQ(summary.winners.size(), 1u);
  EXPECT_EQ(number_of(summary.winners.at(0).steps), 7);
  EXPECT_EQ(record::read_run_log(path(kRecordsFile)).end->state, record::RunState::Stopped);
}

TEST_F(SessionTest, SpendsNoMoreThanItsBudget) {
  options_.trials = kAnyTrials;
  options_.budget_s = 0.5;
  const Summary summary = tune([](int number) {
    usleep(1000);
    return seventh_wins(number);
  });
  EXPECT_GE(summary.progress.trials, 8) << "one batch in any case";
  EXPECT_LT(summary.progress.session_s, 3);
}

TEST_F(SessionTest, KeepsWhatWasMeasuredWhenTheMachineFails) {
  options_.trials = 100;
  const Times breaks = [](int number) {
    if (number == 10) throw UserError("the worker does not answer");
    return seventh_wins(number);
  };
  EXPECT_THROW(tune(breaks), UserError);
  const record::RunLog log = record::read_run_log(path(kRecordsFile));
  EXPECT_EQ(log.trials.size(), 10u);
  EXPECT_EQ(log.end->state, record::RunState::Failed);
  EXPECT_EQ(tune(seventh_wins).progress.trials, 100);
}

TEST_F(SessionTest, RefusesTheFolderOfAnotherTask) {
  options_.trials = 2;
  tune(seventh_wins);
  op_ = "matmul:m=8,n=4,k=4";
  EXPECT_THROW(tune(seventh_wins), UserError);
  options_.fresh = true;
  EXPECT_EQ(tune(seventh_wins).progress.trials, 2);
}

TEST_F(SessionTest, RefusesAFolderThatAnotherProcessUses) {
  options_.trials = 2;
  tune(seventh_wins);
  const int folder = open(options_.folder.c_str(), O_RDONLY);
  ASSERT_EQ(flock(folder, LOCK_EX), 0);
  EXPECT_THROW(tune(seventh_wins), UserError);
  close(folder);
  EXPECT_EQ(tune(seventh_wins).progress.trials, 2);
}

TEST_F(SessionTest, TheTablesHoldWhatTheLogHolds) {
  options_.trials = 12;
  tune(seventh_wins);
  options_.trials = 20;
  tune(seventh_wins);
  record::Sqlite tables(path(kDatabaseFile));
  EXPECT_EQ(tables.prepare("SELECT COUNT(*) FROM measurement").value(), 20);
  EXPECT_EQ(tables.prepare("SELECT COUNT(*) FROM run WHERE state = 'done'").value(), 2);
}

TEST_F(SessionTest, GoesOnWithoutTablesThatCannotBeWritten) {
  options_.trials = 12;
  std::filesystem::create_directories(path(kDatabaseFile) + "/in the way");
  std::string noted;
  listener_ = [&](const Event& event, const Progress&) {
    if (const auto* one = std::get_if<Noted>(&event)) noted += one->text;
  };
  EXPECT_EQ(tune(seventh_wins).progress.trials, 12);
  EXPECT_TRUE(noted.starts_with("run.db is no longer written: ")) << noted;
}

TEST_F(SessionTest, NotesHowWellEachRoundWasPredicted) {
  options_.trials = 8;
  std::vector<record::RoundNote> rounds;
  listener_ = [&](const Event& event, const Progress&) {
    if (const auto* round = std::get_if<RoundEnded>(&event)) rounds.push_back(round->round);
  };
  tune([](int number) { return takes(1e-3 * (number + 1)); });  // as predicted: 1 before 2 before 3
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_DOUBLE_EQ(rounds[0].rank_correlation, 1);
  EXPECT_DOUBLE_EQ(rounds[0].top1, 1);
  EXPECT_DOUBLE_EQ(record::read_run_log(path(kRecordsFile)).rounds.at(0).rank_correlation, 1);
}

}  // namespace
}  // namespace hone::tune
