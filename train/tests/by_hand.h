// Layers worked out by their definitions, in loops over doubles that share no code with those under
// test.
#pragma once
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "train/torch.h"

namespace hone::train {

using Numbers = std::vector<double>;
using Table = std::vector<Numbers>;

inline Table table_of(const torch::Tensor& tensor) {
  Table rows;
  for (std::int64_t i = 0; i < tensor.size(0); ++i) {
    rows.emplace_back();
    for (std::int64_t j = 0; j < tensor.size(1); ++j)
      rows.back().push_back(tensor[i][j].item<double>());
  }
  return rows;
}

// The weights of a model by name.
class ByHand {
 public:
  explicit ByHand(const torch::nn::Module& model) {
    for (const auto& item : model.named_parameters()) take(item.key(), item.value());
    for (const auto& item : model.named_buffers()) take(item.key(), item.value());
  }

  const Numbers& at(const std::string& name) const { return weights_.at(name); }

  Numbers linear(const std::string& name, const Numbers& x) const {
    const Numbers& weight = at(name + ".weight");
    Numbers y(weight.size() / x.size());
    if (weights_.count(name + ".bias") > 0) y = at(name + ".bias");
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += weight[i * x.size() + j] * x[j];
    return y;
  }
  Numbers relu_linear(const std::string& name, const Numbers& x) const {
    Numbers y = linear(name, x);
    for (double& value : y) value = std::max(0.0, value);
    return y;
  }
  Numbers normalised(const std::string& name, Numbers x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - at(name + ".shift")[i]) * at(name + ".scale")[i];
    return x;
  }
  // What the two residual blocks and the decoder make of the sum over statements.
  double decoded(Numbers x) const {
    for (const char* block : {"blocks.0", "blocks.1"}) {
      const Numbers y = relu_linear(block, x);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
    }
    return linear("decoder", x)[0];
  }

 private:
  void take(const std::string& name, const torch::Tensor& tensor) {
    const torch::Tensor flat = tensor.detach().to(torch::kDouble).contiguous().view({-1});
    weights_[name] = Numbers(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel());
  }

  std::map<std::string, Numbers> weights_;
};

// Moves every weight a little, also those that begin as 0 or 1 and would hide a mistake.
inline void disturb(torch::nn::Module& model) {
  const torch::NoGradGuard no_gradient;
  for (torch::Tensor& parameter : model.parameters())
    parameter.add_(0.1 * torch::randn_like(parameter));
}

}  // namespace hone::train
