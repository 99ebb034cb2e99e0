// A cost model that has learned nothing: the time each statement needs for its arithmetic and for
// moving its data through the caches, from its statement features.
#pragma once
#include "score/model.h"

namespace hone::score {

// What bounds a machine, per core and cycle.
struct RooflineMachine {
  struct Level {  // of memory
    double size_bytes;
    double bytes_per_cycle;  // that come from this level into the one before
  };
  int cores = 1;
  double lanes = 8;           // 32-bit values of a vector
  double flops_per_lane = 4;  // two multiply-adds
  double line_bytes = 64;
  std::vector<Level> levels = {};  // nearest first; the last is memory, of any size
};

// The usual speeds of x86 servers for caches of these sizes, nearest first: how near a level is counts
// for far more than how fast exactly it is.
RooflineMachine roofline_machine(int cores, double lanes, std::span<const double> cache_bytes);

// A score is the share of the machine's roofline that the program reaches, from 0 to 1.
class Roofline final : public Model {
 public:
  explicit Roofline(RooflineMachine machine) : machine_(std::move(machine)) {}

  const char* kind() const override { return "analytic"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  // Samples are rows of the 164 statement features.
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  RooflineMachine machine_;
};

}  // namespace hone::score
