// Candidates chosen by a search that a cost model guides, which learns from every round.
#pragma once
#include <functional>
#include <memory>

#include "score/model.h"
#include "search/search.h"
#include "tune/candidates.h"
#include "tune/proposer.h"
#include "tune/sample_cache.h"

namespace hone::tune {

// A candidate as a model sees it; no rows when its steps cannot be applied. Called from any thread.
using Featurise = std::function<score::Sample(const schedule::Steps&)>;

class SearchProposer : public Proposer {
 public:
  // `search` moves among `candidates`. Features are computed on `jobs` threads; what is proposed does
  // not depend on that.
  SearchProposer(std::unique_ptr<const Candidates> candidates, std::unique_ptr<search::Search> search,
                 Featurise featurise, std::unique_ptr<score::Model> model, int jobs);

  Proposals propose(int round, std::size_t count, const IsKnown& is_known) override;
  void learn(std::span<const Trial> trials) override;

 private:
  std::vector<search::Prediction> predict(int voice, std::span<const search::Point> points);
  std::vector<score::Sample> samples_of(std::span<const search::Point> points);
  score::Sample sample_of(const Trial& trial, const std::optional<search::Point>& point);
  void train();

  const std::unique_ptr<const Candidates> candidates_;
  const Featurise featurise_;
  const std::unique_ptr<score::Model> model_;
  const int jobs_;
  const std::unique_ptr<search::Search> search_;

  SampleCache met_;
  search::Seen proposed_;
  std::vector<score::Sample> samples_;  // one a trial learned from, of those that have rows
  std::vector<double> times_;           // likewise; infinite when it failed
  double score_s_ = 0;  // spent on features, predictions and training since the last proposal
};

}  // namespace hone::tune
