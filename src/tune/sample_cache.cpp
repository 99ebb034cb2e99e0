#include "tune/sample_cache.h"

namespace hone::tune {

void SampleCache::forget_but(const search::Seen& proposed) {
  std::erase_if(samples_, [&](const auto& entry) { return !proposed.contains(entry.first); });
}

std::optional<score::Sample> SampleCache::take(const search::Point& point) {
  auto node = samples_.extract(point);
  return node ? std::optional(std::move(node.mapped())) : std::nullopt;
}

void SampleCache::keep(const search::Point& point, score::Sample sample) {
  samples_.insert_or_assign(point, std::move(sample));
}

}  // namespace hone::tune
