// Search on complete recorded spaces, where the true optimum is known.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/shared_data.h"
#include "tests/unit/search/nearest_model.h"

namespace hone::search {
namespace {

constexpr int kBatch = 16;
constexpr int kBudget = 1000;  // evaluations after which a search is stopped

// How many points are measured until one is within 1 % of the optimum, failures included; the whole
// budget when it does not come that far.
int evaluations(const std::string& name, const RecordedSpace& space, const Options& options) {
  const auto search = make_search(name, space, options);
  NearestModel model(space);
  const Scorer scorer = [&](std::span<const Point> points) { return model.predict(points); };
  int n = 0;
  for (int round = 0; n < kBudget; ++round) {
    std::vector<Trial> trials;
    for (const Point& point : search->next(kBatch, scorer, round)) {
      ++n;
      trials.push_back(space.measure(point));
      if (trials.back().time.value_or(1e30) <= 1.01 * space.best_time()) return n;
    }
    search->tell(trials);
    model.tell(trials);
  }
  return kBudget;
}

double mean_evaluations(const std::string& name, const RecordedSpace& space, Options options) {
  constexpr int kSeeds = 20;
  double sum = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    sum += evaluations(name, space, options);
  }
  return sum / kSeeds;
}

TEST(RecordedSpace, EvolutionNeedsFewerEvaluationsThanRandomSearch) {
  const std::string path = shared_file("data/kerneltuner_bruteforce_csv.tar.gz");
  HONE_REQUIRE_FILE(path);
  const std::vector<RecordedSpace> spaces = read_recorded_spaces(path);
  ASSERT_EQ(spaces.size(), 31u);
  double log_ratio = 0;
  for (const RecordedSpace& space : spaces) {
    const double random = mean_evaluations("random", space, {});
    const double evolution =
        mean_evaluations("evolution", space, {.population = 128, .generations = 3});
    RecordProperty(space.name(), std::to_string(evolution) + " of " + std::to_string(random));
    log_ratio += std::log(evolution / random) / static_cast<double>(spaces.size());
  }
  EXPECT_LT(std::exp(log_ratio), 0.35);
}

}  // namespace
}  // namespace hone::search
