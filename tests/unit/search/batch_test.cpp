#include "search/batch.h"

#include <gtest/gtest.h>

namespace hone::search {
namespace {

// The score of a point is its first entry.
Pool pool_of(std::vector<Point> points) {
  Pool pool;
  pool.add(std::move(points), [](std::span<const Point> all) {
    std::vector<Prediction> out(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) out[i].score = static_cast<double>(all[i][0]);
    return out;
  });
  return pool;
}

std::vector<Point> choose(const Pool& pool, const Seen& seen, int n, double diversity) {
  return choose_batch(pool, seen, n, std::nullopt, {.diversity = diversity}, 0);
}

TEST(Batch, GreedTakesTheBestInOrder) {
  const Pool pool = pool_of({{1, 0}, {5, 0}, {3, 0}, {4, 0}});
  EXPECT_EQ(choose(pool, {}, 2, 0), (std::vector<Point>{{5, 0}, {4, 0}}));
}

TEST(Batch, AmongEqualsTheUnlikeComesNext) {
  const Pool pool = pool_of({{5, 0, 0, 0}, {5, 0, 0, 1}, {5, 0, 1, 1}, {5, 1, 1, 1}, {0, 9, 9, 9}});
  EXPECT_EQ(choose(pool, {}, 2, 0.5), (std::vector<Point>{{5, 0, 0, 0}, {5, 1, 1, 1}}));
}

TEST(Batch, ABadPointIsNotTakenForBeingDifferent) {
  const Pool pool = pool_of({{9, 0}, {8, 0}, {0, 7}});
  EXPECT_EQ(choose(pool, {}, 2, 0.5), (std::vector<Point>{{9, 0}, {8, 0}}));
}

TEST(Batch, SeenPointsAreLeftOut) {
  const Pool pool = pool_of({{1, 0}, {5, 0}, {3, 0}});
  Seen seen;
  seen.add({5, 0});
  EXPECT_EQ(choose(pool, seen, 9, 0.5), (std::vector<Point>{{3, 0}, {1, 0}}));
}

}  // namespace
}  // namespace hone::search
