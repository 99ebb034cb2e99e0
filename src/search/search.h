// The interface of every search: asked for a batch, told what came of it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/acquisition.h"
#include "search/domain.h"

namespace hone::search {

// A measured point.
struct Trial {
  Point point;
  std::optional<double> time;  // in any one unit; nothing when the trial failed
};

struct Options {
  std::uint64_t seed = 0;
  double local_share = 0.25;   // of a batch, taken next to the fastest measured points
  double random_share = 0.05;  // of a batch, taken without asking the scorer (epsilon-greedy)
  // Of a batch, each the one that the scorer likes best of so many samples. What explores leads to one
  // part of the domain, and the scorer may be wrong about that part.
  double sampled_share = 0.2;
  int samples_each = 32;
  // The best of the three on recorded spaces (bench_spaces): 95 trials, Thompson sampling 101, greed
  // 110.
  Acquisition acquisition = Acquisition::ExpectedImprovement;
  double diversity = 0.5;  // worth of being unlike the rest of the batch, see choose_batch

  // Evolution.
  int population = 256;
  // So many times as large in the first calls, when what was measured says least; twice that in the
  // very first.
  int early_factor = 2;
  int early_calls = 32;
  int generations = 4;
  double measured_share = 0.2;   // of the first population, taken from the best measured points
  double crossover_share = 0.3;  // of the successors; the others are mutations
  // Then so many times all neighbours of so many of the best points that were met.
  int climbs = 4;
  int climbers = 4;

  // Annealing.
  int chains = 128;
  int steps = 100;
};

// A search never proposes a point twice, nor one that it was told. One seed, one sequence of calls and
// one scorer give one result.
class Search {
 public:
  virtual ~Search() = default;
  // Up to `batch` new points, the most promising first; fewer when no more can be found. Earlier
  // batches need not have been told yet. `round` counts the calls and selects the random numbers, so
  // that a resumed run goes on as if it had not stopped.
  virtual std::vector<Point> next(int batch, const Scorer& scorer, int round) = 0;
  virtual void tell(std::span<const Trial> trials) = 0;
};

const std::vector<std::string>& search_names();  // evolution, random, annealing, coordinate
// The domain must outlive the search. Throws UserError for a name that is none of these.
std::unique_ptr<Search> make_search(std::string_view name, const Domain& domain,
                                    const Options& options);

}  // namespace hone::search
