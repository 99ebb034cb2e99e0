// Candidates that a search met lately, as models see them: it meets the best of them again and again.
#pragma once
#include <optional>
#include <unordered_map>

#include "score/sample.h"
#include "search/seen.h"

namespace hone::tune {

// Holds what this round and the one before asked for; a run meets far more than memory should hold.
class SampleCache {
 public:
  void begin_round();
  // Whoever takes a sample keeps it again when it is done: samples are large, and are not copied.
  std::optional<score::Sample> take(const search::Point& point);
  void keep(const search::Point& point, score::Sample sample);

 private:
  using Samples = std::unordered_map<search::Point, score::Sample, search::PointHash>;
  Samples now_, before_;
};

}  // namespace hone::tune
