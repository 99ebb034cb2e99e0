#include "train/ghost_norm.h"

#include <cmath>

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

// As if the parts had come one after the other: the last one counts most.
void GhostNormImpl::follow(const Tensor& means, const Tensor& variances) {
  const torch::NoGradGuard no_gradient;
  const std::int64_t parts = means.size(0);
  const Tensor parts_behind = torch::arange(parts - 1, -1, -1, means.options()).unsqueeze(1);
  const Tensor shares = momentum_ * torch::pow(1 - momentum_, parts_behind);
  const double kept = std::pow(1 - momentum_, static_cast<double>(parts));
  mean_.mul_(kept).add_((shares * means).sum(0));
  variance_.mul_(kept).add_((shares * variances).sum(0));
}

Tensor GhostNormImpl::normalise(const Tensor& parts) {
  const Tensor mean = parts.mean(1, /*keepdim=*/true);
  const Tensor variance = parts.var(1, /*unbiased=*/false, /*keepdim=*/true);
  const auto n = static_cast<double>(parts.size(1));
  if (n > 1)  // one row says nothing of the variance
    follow(mean.detach().squeeze(1), variance.detach().squeeze(1) * (n / (n - 1)));
  return ((parts - mean) * torch::rsqrt(variance + kLeastVariance)).flatten(0, 1);
}

Tensor GhostNormImpl::forward(const Tensor& x) {
  const std::int64_t n = x.size(0);
  if (!is_training() || n == 0)
    return (x - mean_) * torch::rsqrt(variance_ + kLeastVariance) * weight_ + bias_;
  const std::int64_t parts = part_ == 0 ? 1 : (n + part_ - 1) / part_;
  const std::int64_t rows = (n + parts - 1) / parts, full = n / rows;
  std::vector<Tensor> out = {normalise(x.narrow(0, 0, full * rows).reshape({full, rows, -1}))};
  if (const std::int64_t rest = n - full * rows; rest > 0)
    out.push_back(normalise(x.narrow(0, full * rows, rest).unsqueeze(0)));
  return torch::cat(out) * weight_ + bias_;
}

}  // namespace hone::train
