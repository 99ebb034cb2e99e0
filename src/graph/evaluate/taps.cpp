#include "graph/evaluate/taps.h"

namespace hone::graph {
namespace {

Shape index_in(const Shape& shape, std::int64_t element) {
  Shape index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; element /= shape[d]) index[d] = element % shape[d];
  return index;
}

}  // namespace

Taps::Taps(const Window& window, Shape in, Shape out, bool transposed)
    : window_(window), in_(std::move(in)), out_(std::move(out)), transposed_(transposed) {}

// -1 where the tap lies outside or between the elements that a transposed window is put at.
std::int64_t Taps::coordinate(std::int64_t position, std::int64_t tap, std::size_t d) const {
  const std::int64_t step = tap * window_.dilations[d];
  std::int64_t at = position * window_.strides[d] - window_.before[d] + step;
  if (transposed_) {
    const std::int64_t distance = position + window_.before[d] - step;
    at = distance % window_.strides[d] == 0 ? distance / window_.strides[d] : -1;
  }
  return at >= 0 && at < in_[d] ? at : -1;
}

std::vector<std::int64_t> Taps::elements(std::int64_t first, std::int64_t length) const {
  std::vector<std::int64_t> table(static_cast<std::size_t>(count() * length), -1);
  for (std::int64_t i = 0; i < length && first + i < positions(); ++i) {
    const Shape position = index_in(out_, first + i);
    for (std::int64_t tap = 0; tap < count(); ++tap) {
      const Shape place = index_in(window_.kernel, tap);
      std::int64_t element = 0;
      for (std::size_t d = 0; d < in_.size() && element >= 0; ++d) {
        const std::int64_t at = coordinate(position[d], place[d], d);
        element = at < 0 ? -1 : element * in_[d] + at;
      }
      table[static_cast<std::size_t>(tap * length + i)] = element;
    }
  }
  return table;
}

}  // namespace hone::graph
