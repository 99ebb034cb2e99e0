#include "score/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<Prediction> decode(const DenseFunction& function, std::span<const float> programs,
                               std::size_t n, std::size_t hidden_width) {
  std::vector<float> scores(n), hidden(n * hidden_width);
  std::vector<std::span<float>> said = {scores};
  if (hidden_width > 0) said.emplace_back(hidden);
  function.run(n, std::array{programs}, said);
  std::vector<Prediction> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    out[i].score = std::exp(double{scores[i]});
    const float* const from = hidden.data() + i * hidden_width;
    out[i].hidden.assign(from, from + hidden_width);
  }
  return out;
}

}  // namespace hone::score
