// The interface of every cost model: samples in, predictions out.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "score/sample.h"

namespace hone::score {

struct Prediction {
  double score = 0;                // of a program that works; higher is faster
  double spread = 0;               // standard deviation of the score, 0 when the model cannot tell
  double valid = 1;                // probability that it builds, runs and answers right
  std::vector<float> parts = {};   // what each row of the sample adds to the score
  std::vector<float> hidden = {};  // what the last layer of a network read, where it tells
};

// What can rank programs, however it came to know them.
class Predictor {
 public:
  virtual ~Predictor() = default;
  virtual std::vector<Prediction> predict(std::span<const Sample> samples) const = 0;
};

// What learns from trials.
class Model : public Predictor {
 public:
  virtual const char* kind() const = 0;  // one of model_kinds()
  // Learns from these samples alone, whatever it learned before. A label is the time of the fastest
  // program of the same task, divided by the sample's; 0 when the trial failed. Training is a function
  // of samples, labels and options: neither threads nor earlier calls change it.
  virtual void train(std::span<const Sample> samples, std::span<const double> labels) = 0;

  // A model that is made of several may not know yet whom to believe. As long as it has several voices,
  // each of them chooses a part of what is tried.
  virtual int n_voices() const { return 1; }
  virtual std::vector<Prediction> predict_as(int /*voice*/, std::span<const Sample> samples) const {
    return predict(samples);
  }

  // All that was learned, as bytes; empty where nothing is learned.
  virtual std::string weights() const = 0;
  // Takes back what `weights` gave. Throws UserError when it cannot be that.
  virtual void set_weights(const std::string& bytes) = 0;
};

}  // namespace hone::score
