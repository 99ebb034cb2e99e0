// A draft cuts a population before a costly model looks at it.
#pragma once
#include <memory>

#include "score/model.h"

namespace hone::score {

struct Cut {
  double share = 0.25;  // of the samples, the best in the eyes of the draft, that the model is shown
  int threads = 1;      // that make the views of those
};

// What the model says of the best samples, and of the others that they are worse than all of these, in
// the order of the draft. So few that cutting saves nothing are all shown to the model; those without
// rows are not. Where the model does not tell parts, which statements cost most is the draft's to say.
std::vector<Prediction> predict_best(const Predictor& model, const Predictor& draft,
                                     std::span<const Sample> samples, const Cut& cut);

// A predictor behind a draft.
class Drafted final : public Predictor {
 public:
  Drafted(std::shared_ptr<const Predictor> model, std::shared_ptr<const Predictor> draft,
          const Cut& cut)
      : model_(std::move(model)), draft_(std::move(draft)), cut_(cut) {}

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    return predict_best(*model_, *draft_, samples, cut_);
  }

 private:
  const std::shared_ptr<const Predictor> model_, draft_;
  const Cut cut_;
};

}  // namespace hone::score
