#include "record/note.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::record {
namespace {

template <class Kind>
Kind round_trip(const Kind& note) {
  return std::get<Kind>(note_from_line("# " + to_json(note)).value());
}

TEST(Note, ReadsBackWhatItWrote) {
  const Begin begin = round_trip(Begin{.compiler = "LLVM \"19\"",
                                       .task = "matmul",
                                       .workload_key = "[\"a\", [1]]",
                                       .target = "cpu",
                                       .replay = "",
                                       .seed = ~std::uint64_t{0},
                                       .time = 1794776962});
  EXPECT_EQ(begin.compiler, "LLVM \"19\"");
  EXPECT_EQ(begin.workload_key, "[\"a\", [1]]");
  EXPECT_EQ(begin.seed, ~std::uint64_t{0});
  EXPECT_EQ(begin.time, 1794776962);

  const Computation computation =
      round_trip(Computation{.workload_key = "[\"a\", [1]]", .dag = "A = PLACEHOLDER [1]\n"});
  EXPECT_EQ(computation.workload_key, "[\"a\", [1]]");
  EXPECT_EQ(computation.dag, "A = PLACEHOLDER [1]\n");
  EXPECT_EQ(computation_from_line("# " + to_json(computation)).value().dag, computation.dag);
  EXPECT_FALSE(computation_from_line("# " + to_json(begin)));
  EXPECT_FALSE(computation_from_line(R"(# {"computation": {"dag)"));

  const TrialNote trial = round_trip(TrialNote{
      .round = 3, .score = -0.1, .build_s = 1e-3, .run_s = 2e-3, .at_s = 4, .message = "a\nb"});
  EXPECT_EQ(trial.round, 3);
  EXPECT_EQ(trial.score, -0.1);
  EXPECT_EQ(trial.message, "a\nb");

  const RoundNote round = round_trip(RoundNote{.round = 1, .search_s = 0.5, .score_s = 0.25});
  EXPECT_EQ(round.search_s, 0.5);
  EXPECT_TRUE(std::isnan(round.rank_correlation));

  const End end = round_trip(End{RunState::Stopped, 2, 1});
  EXPECT_EQ(end.state, RunState::Stopped);
  EXPECT_EQ(end.best_s, 1);
}

TEST(Note, FieldsOfLaterVersionsAreStepsOver) {
  const auto note = note_from_line(R"(# {"trial": {"new": [{"a": null}], "round": 2}})");
  EXPECT_EQ(std::get<TrialNote>(note.value()).round, 2);
}

TEST(Note, WhatIsNoneIsLeftAlone) {
  for (const char* line :
       {"# a comment", "#", "# {", "# {}", R"(# {"seed": 7})", R"(# {"trial": {"rou)",
        R"(# {"begin": {"schema": "other/9"}})", R"(# {"trial": {"round": 1e99}})"}) {
    EXPECT_FALSE(note_from_line(line)) << line;
  }
}

}  // namespace
}  // namespace hone::record
