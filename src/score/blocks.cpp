#include "score/blocks.h"

#include <algorithm>

namespace hone::score {
namespace {

constexpr std::size_t kMostSamples = 128;  // in a block: more do not make better matrices

}  // namespace

std::vector<Prediction> in_blocks(
    const DenseFunction& function, std::span<const Sample> samples,
    const std::function<std::vector<Prediction>(std::span<const Sample>)>& predict) {
  const std::size_t n = samples.size(), threads = function.threads();
  const std::size_t size = std::clamp<std::size_t>((n + threads - 1) / threads, 1, kMostSamples);
  std::vector<Prediction> out(n);
  function.side_by_side((n + size - 1) / size, [&](std::size_t block) {
    const std::size_t begin = block * size;
    std::vector<Prediction> said = predict(samples.subspan(begin, std::min(size, n - begin)));
    std::ranges::move(said, out.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  return out;
}

}  // namespace hone::score
