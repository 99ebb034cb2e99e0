// Adam over all parameters at once. Networks of many small layers wait for the launches of kernels, not
// for their arithmetic, so what is alike for all parameters is asked for once.
#pragma once
#include <vector>

#include "train/torch.h"

namespace hone::train {

class Adam {
 public:
  Adam(std::vector<torch::Tensor> parameters, double weight_decay);

  void zero_grad();
  // Follows the gradients, shortened to a norm of `clip` when they are longer (0: never). Parameters
  // that had no part in the loss stay as they are.
  void step(double learning_rate, double clip);

  void save(torch::serialize::OutputArchive& archive) const;
  void load(torch::serialize::InputArchive& archive);

 private:
  std::vector<torch::Tensor> parameters_, mean_, square_;
  std::vector<std::int64_t> steps_;  // of each parameter
  double weight_decay_;
};

}  // namespace hone::train
