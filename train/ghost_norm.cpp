#include "train/ghost_norm.h"

namespace hone::train {

using torch::Tensor;

namespace {

constexpr double kLeastVariance = 1e-5;

}  // namespace

GhostNormImpl::GhostNormImpl(std::int64_t columns, std::int64_t part, double momentum)
    : part_(part), momentum_(momentum) {
  weight_ = register_parameter("weight", torch::ones({columns}));
  bias_ = register_parameter("bias", torch::zeros({columns}));
  mean_ = register_buffer("mean", torch::zeros({columns}));
  variance_ = register_buffer("variance", torch::ones({columns}));
}

Tensor GhostNormImpl::normalise_part(const Tensor& x) {
  const Tensor mean = x.mean(0), variance = x.var(0, /*unbiased=*/false);
  const auto n = static_cast<double>(x.size(0));
  if (n > 1) {  // one row says nothing of the variance
    const torch::NoGradGuard no_gradient;
    mean_.lerp_(mean, momentum_);
    variance_.lerp_(variance * (n / (n - 1)), momentum_);
  }
  return (x - mean) * torch::rsqrt(variance + kLeastVariance);
}

Tensor GhostNormImpl::forward(const Tensor& x) {
  if (!is_training() || x.size(0) == 0)
    return (x - mean_) * torch::rsqrt(variance_ + kLeastVariance) * weight_ + bias_;
  const std::int64_t parts = part_ == 0 ? 1 : (x.size(0) + part_ - 1) / part_;
  std::vector<Tensor> out;
  for (const Tensor& part : x.chunk(parts)) out.push_back(normalise_part(part));
  return torch::cat(out) * weight_ + bias_;
}

}  // namespace hone::train
