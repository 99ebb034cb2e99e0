#include "feature/traffic.h"

#include <gtest/gtest.h>

namespace hone::feature {
namespace {

constexpr target::Cache kFirst = {
    .level = 1, .size_bytes = 32 << 10, .ways = 8, .line_bytes = 64, .shared = false};

TEST(Footprint, IsInWholeLines) {
  EXPECT_EQ(footprint({4, 32}, {64, 64}, 4).bytes, 4 * 32 * 4);
  EXPECT_EQ(footprint({4, 1}, {64, 64}, 4).bytes, 4 * 64);
}

TEST(Footprint, RowsOfAWholeTensorAreOneRun) {
  EXPECT_EQ(footprint({4, 64}, {64, 64}, 4).pitch, 0);
  EXPECT_EQ(footprint({4, 64}, {64, 64}, 4).run, 4 * 64 * 4);
  EXPECT_EQ(footprint({4, 32}, {64, 64}, 4).pitch, 256);
  EXPECT_EQ(footprint({4, 32}, {64, 96}, 4).pitch, 128) << "384 bytes: places in a page are 128 apart";
}

TEST(Footprint, PaddingIsNotTouched) {
  EXPECT_EQ(footprint({9, 9, 16}, {7, 7, 16}, 4).bytes, 7 * 7 * 16 * 4);
  EXPECT_EQ(footprint({9, 9, 16}, {7, 7, 16}, 4).run, 7 * 7 * 16 * 4);
}

// `rows` rows of an element each, read again and again by two loops around them.
Footprints column(std::int64_t rows, std::int64_t row_elements) {
  const Footprint part = footprint({rows, 1}, {1024, row_elements}, 4);
  return {.buffer_bytes = {1e9},
          .extents = {static_cast<double>(rows), 16, 100},
          .parts = {part, part, part}};
}

TEST(Traffic, WhatFitsStays) {
  EXPECT_EQ(traffic(column(100, 1000), kFirst, 0), 0);
  EXPECT_GT(traffic(column(1000, 1000), kFirst, 0), 0);
}

TEST(Traffic, RowsThatShareASetLeaveItEarlier) {
  EXPECT_EQ(traffic(column(8, 1024), kFirst, 0), 0) << "as many as there are ways";
  EXPECT_EQ(traffic(column(9, 1024), kFirst, 0), 9 * 64 * 1600) << "each time all of them";
  EXPECT_EQ(traffic(column(16, 512), kFirst, 0), 0) << "2 KB apart: two sets";
}

// All of 4096 rows of 128 bytes: either a half of every row and then the other half, or row by row.
Footprints halves(bool is_by_row) {
  const auto part = [](std::int64_t rows, std::int64_t elements) {
    return footprint({rows, elements}, {4096, 32}, 4);
  };
  if (is_by_row)
    return {.buffer_bytes = {1e9},
            .extents = {16, 2, 4096},
            .parts = {part(1, 16), part(1, 32), part(4096, 32)}};
  return {.buffer_bytes = {1e9},
          .extents = {16, 4096, 2},
          .parts = {part(1, 16), part(4096, 16), part(4096, 32)}};
}

TEST(Traffic, WhatIsFetchedInTheOrderOfMemoryComesSooner) {
  EXPECT_EQ(traffic(halves(true), kFirst, 0), traffic(halves(false), kFirst, 0)) << "as many bytes";
  EXPECT_NEAR(traffic(halves(true), kFirst, 192), 4096 * 128, 192);
  EXPECT_EQ(traffic(halves(false), kFirst, 192), 4096 * 128 * (1 + 192.0 / 64));
}

}  // namespace
}  // namespace hone::feature
