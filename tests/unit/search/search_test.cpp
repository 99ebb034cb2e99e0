// What holds for every search.
#include "search/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "tests/unit/search/grid.h"

namespace hone::search {
namespace {

// The time of a point grows with its entries; zero is best.
double time_of(const Point& point) { return 1 + std::accumulate(point.begin(), point.end(), 0.0); }

// Knows the times, and that a point whose first entry is 1 fails.
std::vector<Prediction> score(std::span<const Point> points) {
  std::vector<Prediction> out;
  for (const Point& point : points) {
    Prediction prediction{
        .score = 1 / time_of(point), .spread = 0.1, .valid = point[0] == 1 ? 0.1 : 1.0};
    for (const std::int64_t entry : point) prediction.parts.push_back(-static_cast<float>(entry));
    out.push_back(std::move(prediction));
  }
  return out;
}

std::vector<Trial> measure(const std::vector<Point>& points) {
  std::vector<Trial> trials;
  for (const Point& point : points)
    trials.push_back({point, point[0] == 1 ? std::nullopt : std::optional(time_of(point))});
  return trials;
}

// All points of `rounds` batches, told one batch late.
std::vector<Point> run(const std::string& name, const Domain& domain, const Options& options, int batch,
                       int rounds) {
  const auto search = make_search(name, domain, options);
  std::vector<Point> all;
  std::vector<Point> untold;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Point> points = search->next(batch, score, round);
    search->tell(measure(untold));
    untold = points;
    all.insert(all.end(), points.begin(), points.end());
  }
  return all;
}

class EverySearch : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Names, EverySearch, testing::ValuesIn(search_names()),
                         [](const auto& name) { return name.param; });

TEST_P(EverySearch, ExhaustsASmallDomainWithoutRepeating) {
  const Grid grid(3, 4);
  const std::vector<Point> all = run(GetParam(), grid, {.population = 32, .steps = 10}, 5, 14);
  EXPECT_EQ(all.size(), 64u);
  EXPECT_EQ(std::set<Point>(all.begin(), all.end()).size(), 64u);
}

TEST_P(EverySearch, ProposesNothingThatItWasTold) {
  const Grid grid(2, 4);
  const auto search = make_search(GetParam(), grid, {.population = 32, .steps = 10});
  std::vector<Point> told;
  for (std::int64_t i = 0; i < 12; ++i) told.push_back({i / 4, i % 4});
  search->tell(measure(told));
  const std::vector<Point> points = search->next(16, score, 0);
  EXPECT_EQ(std::set<Point>(points.begin(), points.end()),
            (std::set<Point>{{3, 0}, {3, 1}, {3, 2}, {3, 3}}));
}

TEST_P(EverySearch, IsDecidedByItsSeed) {
  const Grid grid(6, 10);
  const auto with_seed = [&](std::uint64_t seed) {
    return run(GetParam(), grid, {.seed = seed, .population = 64, .chains = 16, .steps = 10}, 8, 4);
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST_P(EverySearch, OutlivesADomainOfFailures) {
  class Empty : public Grid {
   public:
    Empty() : Grid(2, 2) {}
    std::optional<Point> sample(Random& /*unused*/) const override { return std::nullopt; }
  };
  const Empty empty;
  EXPECT_TRUE(make_search(GetParam(), empty, {})->next(8, score, 0).empty());
}

TEST(Search, GuidedSearchesFindThePeakThatSamplesMiss) {
  const Grid grid(8, 12);  // 4 * 10^8 points
  const Point peak(8, 0);
  for (const std::string name : {"evolution", "annealing"}) {
    const auto all = run(name, grid, {}, 16, 4);
    EXPECT_NE(std::ranges::find(all, peak), all.end()) << name;
  }
}

TEST(Search, CoordinateDescentReachesThePeakByMeasuring) {
  const Grid grid(4, 10);
  const auto blind = [](std::span<const Point> points) {
    return std::vector<Prediction>(points.size());
  };
  const auto search = make_search("coordinate", grid, {});
  std::vector<Point> points;
  for (int round = 0; round < 40 && std::ranges::find(points, Point(4, 0)) == points.end(); ++round) {
    points = search->next(8, blind, round);
    search->tell(measure(points));
  }
  EXPECT_NE(std::ranges::find(points, Point(4, 0)), points.end());
}

TEST(Search, AnUnknownNameIsTheUsersMistake) {
  const Grid grid(1, 1);
  try {
    make_search("evolutoin", grid, {});
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_NE(error.hint().find("evolution"), std::string::npos) << error.hint();
  }
}

}  // namespace
}  // namespace hone::search
