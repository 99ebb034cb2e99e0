// Candidates for data sets: most are drawn evenly, so that models see bad programs, too; a few are
// evolved, so that they see good ones.
#pragma once
#include <memory>
#include <vector>

#include "tune/candidates.h"
#include "tune/proposer.h"

namespace hone::tune {

// Of each batch six eighths are even samples of Ansor's whole space, nothing left out; one eighth are
// samples of hone's own; and from the second batch on one eighth is what evolution proposes there,
// unless it is null. More
// of the good ones would make the set easy: with fifths a random pick of a convolution reaches 0.44 of
// the best speed on the mean, with eighths 0.37. A space that has no new candidate of Ansor's left is
// exhausted, whatever the others could still give: the shares hold for every task.
class SampleProposer : public Proposer {
 public:
  SampleProposer(std::unique_ptr<const Candidates> ansor, std::unique_ptr<const Candidates> own,
                 std::unique_ptr<Proposer> evolution, std::uint64_t seed)
      : ansor_(std::move(ansor)), own_(std::move(own)), evolution_(std::move(evolution)), seed_(seed) {}

  Proposals propose(int round, std::size_t count, const IsKnown& is_known) override;
  void learn(std::span<const Trial> trials) override {
    if (evolution_ != nullptr) evolution_->learn(trials);
  }

 private:
  const std::unique_ptr<const Candidates> ansor_, own_;
  const std::unique_ptr<Proposer> evolution_;
  const std::uint64_t seed_;
};

// The candidates of a list, in its order: programs of others, to be measured here.
class ListProposer : public Proposer {
 public:
  explicit ListProposer(std::vector<schedule::Steps> programs) : programs_(std::move(programs)) {}

  Proposals propose(int round, std::size_t count, const IsKnown& is_known) override;
  void learn(std::span<const Trial> /*unused*/) override {}

 private:
  const std::vector<schedule::Steps> programs_;
  std::size_t next_ = 0;
};

}  // namespace hone::tune
