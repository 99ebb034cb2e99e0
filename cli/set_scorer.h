// A scorer of hone's own kind, asked about programs of a data set that has its features.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "cli/set_samples.h"
#include "score/network.h"
#include "train/data_set.h"

namespace hone::cli {

class SetScorer {
 public:
  // UserError when the set lacks a feature.
  SetScorer(const score::ScorerFile& file, const record::hds::File& set, int threads);

  const SetViews& views() const { return views_; }
  // Of programs that have all views.
  std::vector<score::Prediction> predict(std::span<const train::Program> programs) const;
  // What they are ranked by; programs without a view come last.
  std::vector<double> scores(const std::vector<train::Program>& programs) const;

 private:
  std::unique_ptr<score::Network> network_;
  SetViews views_;  // that it reads
};

}  // namespace hone::cli
