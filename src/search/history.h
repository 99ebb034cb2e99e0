// What a search has proposed and what came of it.
#pragma once

#include "search/search.h"
#include "search/seen.h"

namespace hone::search {

class History {
 public:
  void propose(const Point& point) { seen_.add(point); }
  void tell(std::span<const Trial> trials);

  const Seen& seen() const { return seen_; }
  // The successful trials, fastest first; of equals the earlier one.
  const std::vector<Trial>& fastest() const { return fastest_; }

 private:
  Seen seen_;
  std::vector<Trial> fastest_;
};

}  // namespace hone::search
