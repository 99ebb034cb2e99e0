// Search by deciding one entry after the other and keeping few of the unfinished programs: what
// searches that prune early do, for comparison.
#pragma once
#include <map>

#include "search/guided.h"
#include "tune/candidates.h"

namespace hone::bench {

// An unfinished program is scored as if all that is still open were as small as it can be: the model
// knows complete programs only. Which finished ones are measured is decided as in other searches.
class Beam final : public search::Guided {
 public:
  Beam(const tune::Candidates& candidates, const search::Options& options)
      : Guided(candidates, options), candidates_(candidates) {}

 private:
  using Samples = std::map<std::int64_t, std::vector<search::Point>>;  // by family

  void explore(search::Pool& pool, const search::Scorer& scorer, int round) override;
  Samples draw_samples(int round) const;
  std::vector<search::Point> decide(const std::vector<search::Point>& beam, std::size_t entry,
                                    const Samples& samples, int round) const;

  const tune::Candidates& candidates_;
};

}  // namespace hone::bench
