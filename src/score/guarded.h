// A model on trial: it leads as long as it ranks what is measured at least as well as another one.
#pragma once
#include <deque>
#include <memory>

#include "score/drafted.h"
#include "score/model.h"

namespace hone::score {

// What was learned on other tasks or machines may mislead on this one. Both models learn from all
// trials; after every round it is seen which of them had ranked the round's programs better before it
// knew their times. While the first leads, it is shown what the other one thinks best. Until it is
// known who ranks better, both have a voice: where the first is wrong from the start, half of the first
// trials are none the worse for it.
class Guarded final : public Model {
 public:
  Guarded(std::unique_ptr<Model> learned, std::unique_ptr<Model> draft, const Cut& cut)
      : learned_(std::move(learned)), draft_(std::move(draft)), cut_(cut) {}

  const char* kind() const override { return "guarded"; }
  void train(std::span<const Sample> samples, std::span<const double> labels) override;
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  int n_voices() const override;
  std::vector<Prediction> predict_as(int voice, std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

  bool draft_leads() const;

 private:
  struct Round {
    double learned, draft;  // rank correlations
  };

  const std::unique_ptr<Model> learned_, draft_;
  const Cut cut_;
  std::deque<Round> last_;    // rounds; the newest last
  std::size_t n_judged_ = 0;  // samples of the rounds before
};

}  // namespace hone::score
