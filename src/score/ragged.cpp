#include "score/ragged.h"

#include <algorithm>

namespace hone::score {

template <class Combine>
std::vector<float> Ragged::combine(std::span<const float> of_rows, std::size_t width,
                                   const Combine& combine) const {
  std::vector<float> out(n_programs() * width);
  for (std::size_t program = 0; program < n_programs(); ++program) {
    float* const to = &out[program * width];
    bool is_first = true;
    for (const std::size_t row : rows_of(program)) {
      const float* const from = &of_rows[row * width];
      for (std::size_t j = 0; j < width; ++j) to[j] = is_first ? from[j] : combine(to[j], from[j]);
      is_first = false;
    }
  }
  return out;
}

std::vector<float> Ragged::sums(std::span<const float> of_rows, std::size_t width) const {
  return combine(of_rows, width, [](float a, float b) { return a + b; });
}

std::vector<float> Ragged::maxima(std::span<const float> of_rows, std::size_t width) const {
  return combine(of_rows, width, [](float a, float b) { return std::max(a, b); });
}

}  // namespace hone::score
