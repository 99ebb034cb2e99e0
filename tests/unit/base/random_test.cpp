#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>

namespace hone {
namespace {

TEST(Random, StreamsAndSeedsDoNotRepeatEachOther) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t stream = 0; stream < 20; ++stream) {
      for (std::uint64_t index = 0; index < 20; ++index) seen.insert(random_bits(seed, stream, index));
    }
  }
  EXPECT_EQ(seen.size(), 8000u);
}

TEST(Random, NeighboursDifferInHalfOfTheirBits) {
  double changed = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    changed += std::popcount(random_bits(1, 2, i) ^ random_bits(1, 2, i + 1));
  EXPECT_NEAR(changed / 1000, 32, 0.5);
}

TEST(Random, BelowIsEven) {
  std::array<int, 10> counts{};
  for (std::uint64_t i = 0; i < 100'000; ++i) ++counts.at(below(10, random_bits(5, 0, i)));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, AStreamIsReadFrontToBack) {
  Random random(7, 3);
  for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(random.bits(), random_bits(7, 3, i));
}

TEST(Random, UnitsFillTheUnitInterval) {
  Random random(1, 1);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100'000; ++i) ++counts.at(static_cast<std::size_t>(random.unit() * 10));
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

}  // namespace
}  // namespace hone
