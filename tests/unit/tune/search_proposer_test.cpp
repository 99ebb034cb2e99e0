#include "tune/search_proposer.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "feature/cpu_rows.h"
#include "schedule/step_json.h"
#include "score/make_model.h"
#include "task/catalogue.h"
#include "tests/unit/tune/fakes.h"
#include "tune/make_proposer.h"

namespace hone::tune {
namespace {

score::Sample numbered_sample(float number) { return {{number}, {0}}; }

TEST(SampleCache, ForgetsAllButWhatWasProposed) {
  SampleCache cache;
  cache.keep({1}, numbered_sample(1));
  cache.keep({2}, numbered_sample(2));
  search::Seen proposed;
  proposed.add({1});
  cache.forget_but(proposed);
  const std::optional<score::Sample> first = cache.take({1});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->values, std::vector<float>{1});
  EXPECT_FALSE(cache.take({1})) << "whoever took it has it";
  EXPECT_FALSE(cache.take({2}));
}

class SearchProposerTest : public testing::Test {
 protected:
  std::unique_ptr<SearchProposer> proposer(const char* model) {
    const target::Target target = target::parse("avx512");
    const auto task = std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=64,k=64"));
    auto candidates = std::make_unique<SpaceCandidates>(make_space(task, target, SpaceKind::Hone));
    search::Options searching;
    searching.population = 32;
    searching.generations = 2;
    auto search = search::make_search("evolution", *candidates, searching);
    const Featurise featurise = featuriser(task, target, nullptr);
    const Featurise counted = [this, featurise](const schedule::Steps& steps) {
      const std::lock_guard lock(mutex_);
      ++times_made_[schedule::to_json(steps)];
      return featurise(steps);
    };
    score::ModelOptions models;
    models.cycles_column = feature::cpu_column(feature::CodeColumn::Cycles);
    return std::make_unique<SearchProposer>(std::move(candidates), std::move(search), counted,
                                            score::make_model(model, models), 2);
  }

  std::mutex mutex_;
  std::map<std::string, int> times_made_;
};

TEST_F(SearchProposerTest, ACandidateIsReplayedOnceARoundAndNeverAgainWhenItWasProposed) {
  const auto proposer = this->proposer("analytic");
  std::vector<std::string> proposed;
  for (int round = 0; round < 3; ++round) {
    times_made_.clear();
    const Proposals proposals = proposer->propose(round, 8, [](const std::string&) { return false; });
    ASSERT_EQ(proposals.candidates.size(), 8U);
    for (const std::string& key : proposed) EXPECT_FALSE(times_made_.contains(key)) << key;
    std::vector<Trial> trials;
    for (const Candidate& candidate : proposals.candidates) {
      trials.push_back({.candidate = candidate, .measurement = takes(1e-3)});
      proposed.push_back(candidate.key);
    }
    proposer->learn(trials);
    EXPECT_GT(times_made_.size(), 24U);
    for (const auto& [steps, times] : times_made_) EXPECT_EQ(times, 1) << steps;
  }
}

}  // namespace
}  // namespace hone::tune
