// A cost model that has learned nothing: the cycles that the features themselves estimate.
#pragma once
#include "score/model.h"

namespace hone::score {

// Columns of a row, each log2(1 + cycles).
struct CycleColumns {
  std::size_t all = 0;           // what the statement takes
  std::size_t instructions = 0;  // what it would take if all data were near
  std::vector<std::size_t> traffic =
      {};  // what the data alone would take from each cache and from memory
};

// Estimates of instructions are nearly right, those of memory may be far off: what a prefetcher makes
// of a program, and what neighbours leave of a cache, nobody knows before. `Slow` says how programs
// rank if memory is much slower than it seems.
enum class Memory { AsEstimated, Slow };

// A score says how often the program runs in a million cycles. What it does in them, work that the
// computation does not ask for included, must not count in its favour.
class Analytic final : public Model {
 public:
  explicit Analytic(CycleColumns columns, Memory memory = Memory::AsEstimated)
      : columns_(std::move(columns)), memory_(memory) {}

  const char* kind() const override { return "analytic"; }
  void train(std::span<const Sample> /*unused*/, std::span<const double> /*unused*/) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override;
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  double cycles(std::span<const float> row) const;

  const CycleColumns columns_;
  const Memory memory_;
};

}  // namespace hone::score
