#include "search/evolution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>

#include "tests/unit/search/grid.h"

namespace hone::search {
namespace {

std::vector<Prediction> indifferent(std::span<const Point> points) {
  return std::vector<Prediction>(points.size());
}

TEST(Evolution, TakesTheBetterPartMoreOften) {
  // Counts how often a cross takes a node from the parent with the higher part there.
  class Counting : public Grid {
   public:
    Counting() : Grid(2, 100) {}
    std::optional<Point> cross(const Point& first, const Point& second, const FromFirst& from_first,
                               Random& /*unused*/) const override {
      for (std::size_t node = 0; node < 2; ++node) {
        if (first[node] == second[node]) continue;
        const bool from = from_first(static_cast<int>(node));
        ++(from == (first[node] > second[node]) ? n_better : n_worse);
      }
      return first;
    }
    mutable int n_better = 0;
    mutable int n_worse = 0;
  };
  const Counting domain;
  const Scorer entries_are_parts = [](std::span<const Point> points) {
    std::vector<Prediction> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      out[i].parts.assign(points[i].begin(), points[i].end());
    return out;
  };
  Evolution(domain, {.crossover_share = 1}).next(4, entries_are_parts, 0);
  const double share = static_cast<double>(domain.n_better) / (domain.n_better + domain.n_worse);
  EXPECT_NEAR(share, 0.75, 0.03);
}

TEST(Evolution, ScoresEachGenerationInOneCallAndNoPointTwice) {
  const Grid grid(4, 20);
  int n_calls = 0;
  std::set<Point> scored;
  std::size_t n_scored = 0;
  const Scorer scorer = [&](std::span<const Point> points) {
    ++n_calls;
    n_scored += points.size();
    scored.insert(points.begin(), points.end());
    return indifferent(points);
  };
  Evolution(grid, {.sampled_share = 0, .generations = 3, .climbs = 0}).next(16, scorer, 0);
  EXPECT_EQ(n_calls, 4);
  EXPECT_EQ(n_scored, scored.size());
}

TEST(Evolution, CarriesTheBestOverToTheNextRound) {
  // Only the first round can find the peak: in the second one all samples and moves fail.
  class Once : public Grid {
   public:
    Once() : Grid(4, 5) {}
    std::optional<Point> sample(Random& random) const override {
      return is_over ? std::nullopt : Grid::sample(random);
    }
    std::optional<Point> mutate(const Point& point, Random& random) const override {
      return is_over ? std::nullopt : Grid::mutate(point, random);
    }
    bool is_over = false;
  };
  Once domain;
  const Scorer scorer = [](std::span<const Point> points) {
    std::vector<Prediction> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) out[i].score = static_cast<double>(points[i][0]);
    return out;
  };
  Evolution search(domain,
                   {.random_share = 0, .sampled_share = 0, .diversity = 0, .crossover_share = 0});
  search.next(4, scorer, 0);
  domain.is_over = true;
  const std::vector<Point> second = search.next(4, scorer, 1);
  ASSERT_EQ(second.size(), 4u);
  for (const Point& point : second) EXPECT_EQ(point[0], 4);
}

TEST(Evolution, AShareOfABatchLiesBesideTheFastest) {
  const Grid grid(4, 100);
  const Scorer wrong = [](std::span<const Point> points) {  // likes what is slow
    std::vector<Prediction> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) out[i].score = static_cast<double>(points[i][0]);
    return out;
  };
  Evolution search(grid, {.local_share = 0.25, .random_share = 0});
  const Point fastest = {3, 50, 50, 50};
  search.tell(std::vector<Trial>{{fastest, 1.0}, {{90, 1, 1, 1}, {}}});
  int n_beside = 0;
  for (const Point& point : search.next(16, wrong, 0)) {
    int distance = 0;
    for (std::size_t i = 0; i < point.size(); ++i)
      distance += static_cast<int>(std::abs(point[i] - fastest[i]));
    n_beside += distance == 1;
  }
  EXPECT_EQ(n_beside, 4);
}

TEST(Evolution, AShareOfABatchIsRandom) {
  const Grid grid(4, 100);
  const Scorer first_entry = [](std::span<const Point> points) {
    std::vector<Prediction> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) out[i].score = static_cast<double>(points[i][0]);
    return out;
  };
  Evolution search(grid, {.local_share = 0, .random_share = 0.25});
  int n_random = 0;
  for (int round = 0; round < 50; ++round) {
    for (const Point& point : search.next(10, first_entry, round)) n_random += point[0] < 50;
  }
  // Half of the random points have a high first entry too.
  EXPECT_NEAR(n_random / 500.0, 0.125, 0.04);
}

// Evolution is led to the first entry alone; samples are many enough to be good, and unlike what it
// bred.
TEST(Evolution, AShareOfABatchAreTheBestOfSamples) {
  const Grid grid(4, 100);
  std::vector<std::size_t> asked;
  const Scorer first_entry = [&](std::span<const Point> points) {
    asked.push_back(points.size());
    std::vector<Prediction> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) out[i].score = static_cast<double>(points[i][0]);
    return out;
  };
  Evolution search(grid,
                   {.local_share = 0, .random_share = 0, .sampled_share = 0.25, .samples_each = 20});
  std::vector<std::int64_t> sampled;
  for (int round = 0; round < 20; ++round) {
    const std::vector<Point> batch = search.next(8, first_entry, round);
    ASSERT_EQ(batch.size(), 8u);
    for (const Point& point : std::span(batch).last(2)) sampled.push_back(point[0]);
  }
  EXPECT_EQ(std::ranges::count(asked, 20u), 40) << "two of 20 samples each in 20 batches";
  const double mean = std::accumulate(sampled.begin(), sampled.end(), 0.0) / 40;
  EXPECT_NEAR(mean, 100.0 * 20 / 21, 2) << "the largest of 20";
  EXPECT_LT(std::ranges::count(sampled, 99), 20) << "where evolution ends every time";
}

TEST(Evolution, ClimbsFromTheBestPoints) {
  class OnlyNeighbours : public Grid {
   public:
    OnlyNeighbours() : Grid(1, 100) {}
    std::optional<Point> sample(Random& /*unused*/) const override { return Point{50}; }
    std::optional<Point> mutate(const Point& /*unused*/, Random& /*unused*/) const override {
      return std::nullopt;
    }
  };
  const OnlyNeighbours domain;
  const Scorer first_entry = [](std::span<const Point> points) {
    std::vector<Prediction> out(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) out[i].score = static_cast<double>(points[i][0]);
    return out;
  };
  Evolution search(domain, {.local_share = 0,
                            .random_share = 0,
                            .sampled_share = 0,
                            .crossover_share = 0,
                            .climbs = 3,
                            .climbers = 1});
  EXPECT_EQ(search.next(1, first_entry, 0), std::vector<Point>{{53}});
}

}  // namespace
}  // namespace hone::search
