// An LSTM of one layer that reads the rows of programs.
#pragma once
#include <memory>

#include "score/dense.h"
#include "score/ragged.h"
#include "score/tensors.h"

namespace hone::score {

class Lstm {
 public:
  // With the weights lstm.*, which read and say `width` numbers.
  Lstm(const std::vector<NamedTensor>& tensors, std::size_t width, const CompileDense& compile);

  // What it says behind the last row of each program. `encoded` is what the distinct rows were encoded
  // to, and behind them one of zeros: a program without rows reads that one, as in training.
  std::vector<float> last_states(const Ragged& rows, std::span<const float> encoded) const;

 private:
  struct States {
    std::vector<float> hidden, cell;
  };
  States step(std::span<const float> x, const States& before) const;

  std::size_t width_;
  std::unique_ptr<DenseFunction> of_step_;
};

}  // namespace hone::score
