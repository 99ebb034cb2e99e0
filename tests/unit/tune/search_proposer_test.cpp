#include "tune/search_proposer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "schedule/step_json.h"
#include "score/make_model.h"
#include "task/catalogue.h"
#include "tests/unit/tune/fakes.h"
#include "tune/cycle_columns.h"
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

// One voice likes what the other one does not.
class Undecided final : public score::Model {
 public:
  explicit Undecided(std::vector<std::size_t>& asked) : asked_(asked) {}
  const char* kind() const override { return "undecided"; }
  void train(std::span<const score::Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<score::Prediction> predict(std::span<const score::Sample> samples) const override {
    return predict_as(0, samples);
  }
  int n_voices() const override { return 2; }
  std::vector<score::Prediction> predict_as(int voice,
                                            std::span<const score::Sample> samples) const override {
    asked_[static_cast<std::size_t>(voice)] += samples.size();
    std::vector<score::Prediction> out;
    for (const score::Sample& sample : samples)
      out.push_back({.score = (voice == 0 ? 1 : -1) * sum_of(sample)});
    return out;
  }
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

  static double sum_of(const score::Sample& sample) {
    return std::accumulate(sample.values.begin(), sample.values.end(), 0.0);
  }

 private:
  std::vector<std::size_t>& asked_;  // samples, by voice
};

class SearchProposerTest : public testing::Test {
 protected:
  std::unique_ptr<SearchProposer> proposer(const char* model) {
    score::ModelOptions models;
    models.cycles = cycle_columns();
    return proposer(score::make_model(model, models));
  }
  std::unique_ptr<SearchProposer> proposer(std::unique_ptr<score::Model> model) {
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
    return std::make_unique<SearchProposer>(std::move(candidates), std::move(search), counted,
                                            std::move(model), 2);
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

TEST_F(SearchProposerTest, EachVoiceChoosesItsPartOfABatch) {
  std::vector<std::size_t> asked(2);
  const auto proposer = this->proposer(std::make_unique<Undecided>(asked));
  const Proposals proposals = proposer->propose(0, 9, [](const std::string&) { return false; });
  ASSERT_EQ(proposals.candidates.size(), 9U);
  EXPECT_GT(asked[0], 32U);
  EXPECT_GT(asked[1], 32U);
  const auto n_liked = std::ranges::count_if(
      proposals.candidates, [](const Candidate& candidate) { return candidate.score > 0; });
  EXPECT_EQ(n_liked, 5) << "scores of the second voice are negative";
}

}  // namespace
}  // namespace hone::tune
