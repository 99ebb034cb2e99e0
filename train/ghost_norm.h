// Batch normalisation over a few rows at a time, which disturbs training like that of small batches.
#pragma once
#include "train/torch.h"

namespace hone::train {

// In training each part of a batch has mean 0 and variance 1 by itself, and the running mean and
// variance follow slowly; they are what is used afterwards. Then scaled and shifted as learned.
class GhostNormImpl : public torch::nn::Module {
 public:
  // `part`: rows of a part, about; 0: all.
  GhostNormImpl(std::int64_t columns, std::int64_t part, double momentum);
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::Tensor normalise(const torch::Tensor& parts);  // [parts, rows, columns] to [all rows, columns]
  void follow(const torch::Tensor& means, const torch::Tensor& variances);  // of parts

  std::int64_t part_;
  double momentum_;
  torch::Tensor weight_, bias_, mean_, variance_;
};
TORCH_MODULE(GhostNorm);

}  // namespace hone::train
