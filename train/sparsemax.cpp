#include "train/sparsemax.h"

namespace hone::train {

using torch::Tensor;

// What is left of a row is what exceeds a threshold t, and the excesses add up to 1: of the k largest,
// t = (their sum - 1) / k, where k is as large as it can be while the k-th still exceeds t.
Tensor sparsemax(const Tensor& x) {
  const Tensor sorted = std::get<0>(x.sort(/*dim=*/1, /*descending=*/true));
  const Tensor excess = sorted.cumsum(1) - 1;
  const Tensor k = torch::arange(1, x.size(1) + 1, x.options());
  const Tensor kept = (k * sorted > excess).sum(1, /*keepdim=*/true);
  const Tensor threshold = excess.gather(1, kept - 1) / kept;
  return torch::relu(x - threshold);
}

}  // namespace hone::train
