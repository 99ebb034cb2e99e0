#include "graph/evaluate/taps.h"

#include <algorithm>

#include "graph/evaluate/elements.h"
#include "graph/infer.h"

namespace hone::graph {
namespace {

// No sum of offsets into a plane makes up for one of these.
constexpr std::int64_t kOutside = -kMaxElements;

// Where one dimension's tap stands at a position; -1 outside, and between the elements that a
// transposed window is put at.
std::int64_t coordinate(const Window& window, std::size_t d, std::int64_t extent, bool transposed,
                        std::int64_t position, std::int64_t tap) {
  const std::int64_t step = tap * window.dilations[d];
  std::int64_t at = position * window.strides[d] - window.before[d] + step;
  if (transposed) {
    const std::int64_t distance = position + window.before[d] - step;
    at = distance % window.strides[d] == 0 ? distance / window.strides[d] : -1;
  }
  return at < extent ? at : -1;
}

}  // namespace

Taps::Taps(const Window& window, const Shape& in, Shape out, bool transposed)
    : kernel_(window.kernel),
      out_(std::move(out)),
      count_(model::elements(kernel_)),
      positions_(model::elements(out_)) {
  const Strides strides = dense_strides(in);
  for (std::size_t d = 0; d < in.size(); ++d) {
    std::vector<std::int64_t>& offsets = offsets_.emplace_back();
    for (std::int64_t position = 0; position < out_[d]; ++position) {
      for (std::int64_t tap = 0; tap < kernel_[d]; ++tap) {
        const std::int64_t at = coordinate(window, d, in[d], transposed, position, tap);
        offsets.push_back(at < 0 ? kOutside : at * strides[d]);
      }
    }
  }
}

std::vector<std::int64_t> Taps::elements(std::int64_t first, std::int64_t length) const {
  std::vector<std::int64_t> table(static_cast<std::size_t>(count_ * length), -1);
  std::vector<std::int64_t> sums(static_cast<std::size_t>(count_));
  for (std::int64_t i = 0; i < length && first + i < positions_; ++i) {
    // Dimension by dimension from the last, whose taps are next to each other.
    std::ranges::fill(sums, 0);
    std::int64_t rest = first + i, run = 1;
    for (std::size_t d = kernel_.size(); d-- > 0; rest /= out_[d], run *= kernel_[d]) {
      const std::int64_t* offsets = offsets_[d].data() + rest % out_[d] * kernel_[d];
      for (std::int64_t tap = 0; tap < count_; ++tap)
        sums[static_cast<std::size_t>(tap)] += offsets[tap / run % kernel_[d]];
    }
    for (std::int64_t tap = 0; tap < count_; ++tap) {
      table[static_cast<std::size_t>(tap * length + i)] =
          std::max<std::int64_t>(sums[static_cast<std::size_t>(tap)], -1);
    }
  }
  return table;
}

}  // namespace hone::graph
