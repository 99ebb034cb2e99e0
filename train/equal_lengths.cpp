#include "train/equal_lengths.h"

#include <set>

namespace hone::train {

using torch::Tensor;

std::vector<EqualLength> by_length(const View& view) {
  const Tensor counts = torch::bincount(view.program, /*weights=*/{}, /*minlength=*/view.n);
  const Tensor begins = counts.cumsum(0) - counts;
  const Tensor known = counts.to(torch::kCPU);
  const std::set<std::int64_t> lengths(known.data_ptr<std::int64_t>(),
                                       known.data_ptr<std::int64_t>() + known.numel());
  std::vector<EqualLength> out;
  for (const std::int64_t length : lengths) {
    if (length == 0) continue;
    const Tensor programs = torch::nonzero(counts == length).squeeze(1);
    const Tensor places = torch::arange(length, counts.options());
    out.push_back(
        {length, programs, (begins.index_select(0, programs).unsqueeze(1) + places).flatten()});
  }
  return out;
}

}  // namespace hone::train
