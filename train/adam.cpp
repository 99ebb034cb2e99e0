#include "train/adam.h"

#include <cmath>
#include <string>

namespace hone::train {
namespace {

using torch::Tensor;
using Tensors = std::vector<Tensor>;

constexpr double kMeanDecay = 0.9, kSquareDecay = 0.999, kLeastScale = 1e-8;

void shorten(Tensors& gradients, double longest) {
  const Tensor norm = torch::stack(at::_foreach_norm(gradients, 2)).norm();
  const double factor = longest / (norm.item<double>() + 1e-6);
  if (factor < 1) at::_foreach_mul_(gradients, factor);
}

}  // namespace

Adam::Adam(Tensors parameters, double weight_decay)
    : parameters_(std::move(parameters)), steps_(parameters_.size()), weight_decay_(weight_decay) {
  for (const Tensor& parameter : parameters_) {
    mean_.push_back(torch::zeros_like(parameter));
    square_.push_back(torch::zeros_like(parameter));
  }
}

void Adam::zero_grad() {
  for (Tensor& parameter : parameters_) parameter.mutable_grad().reset();
}

void Adam::step(double learning_rate, double clip) {
  const torch::NoGradGuard no_gradient;
  Tensors parameters, gradients, means, squares;
  std::vector<c10::Scalar> rates, corrections;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].grad().defined()) continue;
    const auto n = static_cast<double>(++steps_[i]);
    parameters.push_back(parameters_[i]);
    gradients.push_back(parameters_[i].grad());
    means.push_back(mean_[i]);
    squares.push_back(square_[i]);
    rates.emplace_back(-learning_rate / (1 - std::pow(kMeanDecay, n)));
    corrections.emplace_back(std::sqrt(1 - std::pow(kSquareDecay, n)));
  }
  if (parameters.empty()) return;
  if (clip > 0) shorten(gradients, clip);
  gradients = at::_foreach_add(gradients, parameters, weight_decay_);
  at::_foreach_mul_(means, kMeanDecay);
  at::_foreach_add_(means, gradients, 1 - kMeanDecay);
  at::_foreach_mul_(squares, kSquareDecay);
  at::_foreach_addcmul_(squares, gradients, gradients, 1 - kSquareDecay);
  const Tensors scales = at::_foreach_sqrt(squares);
  at::_foreach_div_(scales, corrections);
  at::_foreach_add_(scales, kLeastScale);
  at::_foreach_addcdiv_(parameters, means, scales, rates);
}

void Adam::save(torch::serialize::OutputArchive& archive) const {
  archive.write("steps", torch::tensor(steps_, torch::kLong));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    archive.write("mean" + std::to_string(i), mean_[i]);
    archive.write("square" + std::to_string(i), square_[i]);
  }
}

void Adam::load(torch::serialize::InputArchive& archive) {
  Tensor steps;
  archive.read("steps", steps);
  steps = steps.to(torch::kCPU);
  steps_.assign(steps.data_ptr<std::int64_t>(), steps.data_ptr<std::int64_t>() + steps.numel());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    archive.read("mean" + std::to_string(i), mean_[i]);
    archive.read("square" + std::to_string(i), square_[i]);
  }
}

}  // namespace hone::train
