#include "tune/sample_cache.h"

namespace hone::tune {

void SampleCache::begin_round() {
  before_ = std::move(now_);
  now_.clear();
}

std::optional<score::Sample> SampleCache::take(const search::Point& point) {
  for (Samples* samples : {&now_, &before_})
    if (auto node = samples->extract(point)) return std::move(node.mapped());
  return std::nullopt;
}

void SampleCache::keep(const search::Point& point, score::Sample sample) {
  now_.insert_or_assign(point, std::move(sample));
}

}  // namespace hone::tune
