// Which of many promising points are measured together.
#pragma once
#include <optional>

#include "search/pool.h"
#include "search/search.h"

namespace hone::search {

// Up to `n` different points of the pool that were not seen, the most promising first. A point counts
// for its worth (see Acquisition) in standard deviations of the worths, plus `options.diversity` times
// the share of its entries in which it differs from the most alike point already chosen: alike points
// teach the model little more than one of them.
std::vector<Point> choose_batch(const Pool& pool, const Seen& seen, int n, std::optional<double> best,
                                const Options& options, int round);

}  // namespace hone::search
