// Candidates that a search met, as models see them: it meets the best of them again and again.
#pragma once
#include <optional>
#include <unordered_map>

#include "score/sample.h"
#include "search/seen.h"

namespace hone::tune {

// Of a round all, of earlier ones those that were proposed: a run meets far more than memory should
// hold.
class SampleCache {
 public:
  void forget_but(const search::Seen& proposed);
  // Whoever takes a sample keeps it again when it is done: samples are large, and are not copied.
  std::optional<score::Sample> take(const search::Point& point);
  void keep(const search::Point& point, score::Sample sample);

 private:
  std::unordered_map<search::Point, score::Sample, search::PointHash> samples_;
};

}  // namespace hone::tune
