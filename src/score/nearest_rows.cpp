#include "score/nearest_rows.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::score {

void NearestRows::add(std::size_t number, std::span<const float> row) {
  check(row.size() == to_.size(), "rows that are compared are of one length");
  double square = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double apart = double{row[i]} - double{to_[i]};
    square += apart * apart;
  }
  all_.push_back({number, std::sqrt(square)});
}

std::vector<NearestRows::Near> NearestRows::nearest() const {
  std::vector<Near> out(std::min(count_, all_.size()));
  std::ranges::partial_sort_copy(all_, out, [](const Near& a, const Near& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.number < b.number;
  });
  return out;
}

double NearestRows::median_distance() const {
  if (all_.empty()) return 0;
  std::vector<Near> rows = all_;
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  std::ranges::nth_element(rows, middle, {}, &Near::distance);
  return middle->distance;
}

}  // namespace hone::score
