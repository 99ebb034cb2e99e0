// A recorded set as a machine that a scorer is to learn from few labels: some tasks to choose labels
// from, the others to be judged on.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "score/judge.h"
#include "tune/labels.h"

namespace hone::bench {

using Numbers = std::vector<std::size_t>;

class RecordedLabels {
 public:
  // A quarter of the tasks is judged on, structures kept together.
  RecordedLabels(const std::string& set, const std::string& scorer, int threads);

  // `n` programs to learn from, as `hone transfer` chooses them out of `pool` programs of each task,
  // which the seed draws.
  Numbers choose(std::size_t n, bool is_active, std::size_t pool, std::uint64_t seed) const;
  Numbers all() const;  // that could be chosen

  const score::Judge& judge() const { return *judge_; }
  // Of the scorer as it is, and adapted to the labels of these programs.
  std::vector<score::Verdict> unadapted() const;
  std::vector<score::Verdict> adapted(const Numbers& programs) const;

  std::string in_words() const;

 private:
  std::shared_ptr<const score::Network> network_of(const score::ScorerFile& file) const;
  Numbers choose_tasks(std::size_t n, bool is_active, std::uint64_t seed) const;

  const int threads_;
  const score::ScorerFile file_;
  const std::shared_ptr<const score::Network> known_;
  const tune::Labels labels_;
  const std::vector<score::Prediction> said_;
  std::vector<Numbers> programs_;  // of each task
  Numbers tasks_;                  // to choose from
  std::unique_ptr<const score::Judge> judge_;
};

}  // namespace hone::bench
