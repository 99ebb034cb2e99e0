#include "train/layers.h"

#include <cmath>

#include "base/error.h"

namespace hone::train {

using torch::Tensor;

ChainImpl::ChainImpl(const std::vector<std::int64_t>& widths, bool relu_behind_last)
    : relu_behind_last_(relu_behind_last) {
  for (std::size_t i = 0; i + 1 < widths.size(); ++i)
    layers_.push_back(register_module(std::to_string(i), torch::nn::Linear(widths[i], widths[i + 1])));
}

Tensor ChainImpl::forward(Tensor x) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    x = layers_[i]->forward(x);
    if (i + 1 < layers_.size() || relu_behind_last_) x = torch::relu(x);
  }
  return x;
}

ResidualBlocksImpl::ResidualBlocksImpl(std::int64_t width, std::int64_t n_blocks) {
  for (std::int64_t i = 0; i < n_blocks; ++i)
    blocks_.push_back(register_module(std::to_string(i), torch::nn::Linear(width, width)));
}

Tensor ResidualBlocksImpl::forward(Tensor x) {
  for (torch::nn::Linear& block : blocks_) x = x + torch::relu(block->forward(x));
  return x;
}

SelfAttentionImpl::SelfAttentionImpl(std::int64_t width, std::int64_t heads) : heads_(heads) {
  if (heads <= 0 || width % heads != 0)
    throw UserError("a width of " + std::to_string(width) + " cannot be shared by " +
                        std::to_string(heads) + " heads",
                    "the width must be a multiple of the heads");
  in_ = register_module("in", torch::nn::Linear(width, 3 * width));
  out_ = register_module("out", torch::nn::Linear(width, width));
  torch::nn::init::xavier_uniform_(in_->weight);
  torch::nn::init::zeros_(in_->bias);
  torch::nn::init::zeros_(out_->bias);
}

Tensor SelfAttentionImpl::forward(const Tensor& x, const Tensor& mask) {
  return attend(project(x), mask);
}

Tensor SelfAttentionImpl::attend(const Tensor& projected, const Tensor& mask) {
  const std::int64_t n = projected.size(0), length = projected.size(1), width = projected.size(2) / 3;
  // [3, n, heads, length, width of a head]
  const Tensor parts = projected.view({n, length, 3, heads_, width / heads_}).permute({2, 0, 3, 1, 4});
  const double scale = 1 / std::sqrt(static_cast<double>(width / heads_));
  Tensor affinity = torch::matmul(parts[0] * scale, parts[1].transpose(2, 3));
  if (mask.defined()) {
    // Not minus infinity: a program without rows would become NaN.
    constexpr double kNever = -1e9;
    const Tensor hidden = mask.logical_not();
    affinity = affinity.masked_fill(
        mask.dim() == 2 ? hidden.view({n, 1, 1, length}) : hidden.unsqueeze(1), kNever);
  }
  const Tensor seen = torch::matmul(torch::softmax(affinity, 3), parts[2]);
  return out_->forward(seen.transpose(1, 2).reshape({n, length, width}));
}

NormaliserImpl::NormaliserImpl(std::int64_t columns) {
  shift_ = register_buffer("shift", torch::zeros({columns}));
  scale_ = register_buffer("scale", torch::ones({columns}));
}

void NormaliserImpl::set(const Tensor& shift, const Tensor& scale) {
  shift_.copy_(shift);
  scale_.copy_(scale);
}

}  // namespace hone::train
