// The interface of every model that hone-train knows: a batch of ragged feature views in, scores out.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "score/forest.h"
#include "train/labels.h"
#include "train/losses.h"
#include "train/options.h"
#include "train/views.h"

namespace hone::train {

// What is said of each program, [n] each.
struct Prediction {
  torch::Tensor score;   // higher is faster; what programs are ranked by
  torch::Tensor spread;  // of the score; undefined when the model cannot tell
  torch::Tensor valid;   // probability that it works; undefined when the model cannot tell
};

struct Pretraining;

class Model : public torch::nn::Module {
 public:
  // Takes what must be known of the inputs, such as their range, from the training programs alone.
  virtual void learn_inputs(const Features& /*features*/, const std::vector<Program>& /*training*/) {}
  // Puts what an option came to in the place of what stands for it, such as 0 for "as stored".
  virtual void settle(Options& /*options*/) const {}
  // Whether it reads numbers that ten bits of precision would spoil.
  virtual bool needs_all_bits() const { return false; }
  // Whether copies of a program on several platforms are one program to it, with a label a platform.
  virtual bool joins_programs() const { return false; }
  // Learns what it can of programs before their speed is told; false when it was stopped.
  virtual bool pretrain(const Pretraining& /*work*/) { return true; }
  // Training is over: it becomes the model of the target, or of any machine where there is none, and
  // what it learned of the sources in particular goes.
  virtual void leave_sources() {}
  // Trees that were grown beside it have a say from now on.
  virtual void take_forest(score::Forest /*forest*/) {
    throw UserError("only hone's own kind of model has trees", "train the scorer again");
  }
  virtual Prediction predict(const Batch& batch) = 0;
  virtual torch::Tensor loss(const Batch& batch, const Labels& labels) = 0;
};

// A model that gives one score and is trained by one of the losses; a failed program has speed 0.
class ScoreModel : public Model {
 public:
  explicit ScoreModel(const Options& options) : loss_(loss_named(options.text("loss"))) {}

  virtual torch::Tensor score(const Batch& batch) = 0;  // [n]

  Prediction predict(const Batch& batch) override { return {score(batch), {}, {}}; }
  torch::Tensor loss(const Batch& batch, const Labels& labels) override {
    return loss_(labels.spread(score(batch)), labels.speed, labels.present);
  }

 private:
  ListLoss loss_;
};

}  // namespace hone::train
