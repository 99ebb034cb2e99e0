#include "score/analytic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.h"
#include "score/make_model.h"

namespace hone::score {
namespace {

// Rows of {cycles, something else}.
Sample sample_of(const std::vector<std::array<double, 2>>& rows) {
  Sample sample;
  for (const auto& row : rows) {
    for (const double value : row) sample.values.push_back(static_cast<float>(std::log2(1 + value)));
    sample.nodes.push_back(0);
  }
  return sample;
}

TEST(Analytic, ScoreFallsWithTheCyclesOfAllStatements) {
  const Analytic model({.all = 0});
  const std::array samples = {sample_of({{1000, 500}}), sample_of({{1000, 500}, {3000, 500}}),
                              Sample{}};
  const std::vector<Prediction> predictions = model.predict(samples);
  EXPECT_NEAR(predictions[0].score, 1000, 1);
  EXPECT_NEAR(predictions[1].score, 250, 1);
  ASSERT_EQ(predictions[1].parts.size(), 2u);
  EXPECT_LT(predictions[1].parts[1], predictions[1].parts[0]) << "the slower statement";
  EXPECT_EQ(predictions[2].valid, 0) << "a program without rows cannot be built";
}

// Rows of {cycles, instructions, traffic}; two programs of which one waits for memory where the other
// computes.
TEST(Analytic, SlowMemoryTurnsTheOrderOfProgramsThatWaitForIt) {
  Sample waits, computes;
  for (const double cycles : {1000, 400, 900})
    waits.values.push_back(static_cast<float>(std::log2(1 + cycles)));
  for (const double cycles : {1050, 1040, 100})
    computes.values.push_back(static_cast<float>(std::log2(1 + cycles)));
  waits.nodes = computes.nodes = {0};
  const std::array samples = {waits, computes};
  const CycleColumns columns{.all = 0, .instructions = 1, .traffic = {2}};
  const auto estimated = Analytic(columns).predict(samples);
  EXPECT_GT(estimated[0].score, estimated[1].score);
  const auto slow = Analytic(columns, Memory::Slow).predict(samples);
  EXPECT_GT(slow[1].score, 2 * slow[0].score);
  const auto unknown = Analytic({.all = 0}, Memory::Slow).predict(samples);
  EXPECT_EQ(unknown[0].score, estimated[0].score) << "which part is memory's nobody says";
}

TEST(Models, AreMadeByName) {
  for (const std::string& kind : model_kinds()) EXPECT_EQ(make_model(kind, {})->kind(), kind);
  EXPECT_THROW(make_model("gbd", {}), UserError);
}

TEST(Models, RandomScoresDependOnTheProgramAndTheSeedAlone) {
  const std::array samples = {sample_of({{1, 2}}), sample_of({{1, 3}})};
  const auto one = make_model("random", {.seed = 1})->predict(samples);
  const auto two = make_model("random", {.seed = 2})->predict(samples);
  EXPECT_NE(one[0].score, one[1].score);
  EXPECT_NE(one[0].score, two[0].score);
  EXPECT_EQ(make_model("random", {.seed = 1})->predict({&samples[1], 1})[0].score, one[1].score);
}

}  // namespace
}  // namespace hone::score
