#include "score/distinct_rows.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace hone::score {
namespace {

TEST(DistinctRows, EqualRowsHaveOneNumberHoweverManyThereAre) {
  for (const std::size_t columns : {1, 7, 22, 164}) {
    DistinctRows rows(columns);
    std::map<std::vector<float>, std::size_t> expected;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      // Rows that differ in one place, near the beginning or at the end.
      Random random(columns, i);
      std::vector<float> row(columns, 1);
      row[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(columns)))] =
          static_cast<float>(random.below(40));
      const std::size_t number = expected.try_emplace(row, expected.size()).first->second;
      ASSERT_EQ(rows.add(row), number);
    }
    ASSERT_EQ(rows.size(), expected.size());
    for (const auto& [row, number] : expected)
      EXPECT_TRUE(std::equal(row.begin(), row.end(),
                             rows.values().begin() + static_cast<std::ptrdiff_t>(number * columns)));
  }
}

TEST(DistinctRows, BitsDecide) {
  DistinctRows rows(1);
  EXPECT_EQ(rows.add(std::vector{0.0F}), 0U);
  EXPECT_EQ(rows.add(std::vector{-0.0F}), 1U);
  EXPECT_EQ(rows.add(std::vector{0.0F}), 0U);
}

}  // namespace
}  // namespace hone::score
