// The layers of which all models are made. Weights have the names of the members and start as PyTorch
// starts them, because the published numbers were made so.
#pragma once
#include <vector>

#include "train/torch.h"

namespace hone::train {

// Linear layers 0, 1, ... of these widths with ReLU between them, and behind the last one if asked.
class ChainImpl : public torch::nn::Module {
 public:
  ChainImpl(const std::vector<std::int64_t>& widths, bool relu_behind_last);
  torch::Tensor forward(torch::Tensor x);

 private:
  std::vector<torch::nn::Linear> layers_;
  bool relu_behind_last_;
};
TORCH_MODULE(Chain);

// x + ReLU(Wx + b), several times.
class ResidualBlocksImpl : public torch::nn::Module {
 public:
  ResidualBlocksImpl(std::int64_t width, std::int64_t n_blocks);
  torch::Tensor forward(torch::Tensor x);

 private:
  std::vector<torch::nn::Linear> blocks_;
};
TORCH_MODULE(ResidualBlocks);

// Multi-head self-attention with biases, no dropout and no normalisation; the caller adds the residual.
class SelfAttentionImpl : public torch::nn::Module {
 public:
  SelfAttentionImpl(std::int64_t width, std::int64_t heads);
  // x: [n, length, width]; `mask` [n, length] says what may be looked at, or [n, length, length] by
  // whom; all by all when it is not defined.
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& mask = {});
  // The same in two parts: the first looks at one row at a time, whatever the shape around it.
  torch::Tensor project(const torch::Tensor& x) { return in_->forward(x); }  // to 3 width
  torch::Tensor attend(const torch::Tensor& projected, const torch::Tensor& mask = {});

 private:
  std::int64_t heads_;
  torch::nn::Linear in_{nullptr}, out_{nullptr};  // in: queries, keys, values
};
TORCH_MODULE(SelfAttention);

// (x - shift) * scale a column, learned from training rows alone and stored with the weights.
class NormaliserImpl : public torch::nn::Module {
 public:
  explicit NormaliserImpl(std::int64_t columns);
  torch::Tensor forward(const torch::Tensor& x) { return (x - shift_) * scale_; }

  void set(const torch::Tensor& shift, const torch::Tensor& scale);

 private:
  torch::Tensor shift_, scale_;
};
TORCH_MODULE(Normaliser);

}  // namespace hone::train
