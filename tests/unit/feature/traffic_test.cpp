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

// `rows` rows of an element each, read again and again by two loops around them.
Footprints column(std::int64_t rows, std::int64_t row_elements) {
  const Footprint part = footprint({rows, 1}, {1024, row_elements}, 4);
  return {.buffer_bytes = {1e9},
          .extents = {static_cast<double>(rows), 16, 100},
          .parts = {part, part, part}};
}

TEST(Traffic, WhatFitsStays) {
  EXPECT_EQ(traffic(column(100, 1000), kFirst), 0);
  EXPECT_GT(traffic(column(1000, 1000), kFirst), 0);
}

TEST(Traffic, RowsThatShareASetLeaveItEarlier) {
  EXPECT_EQ(traffic(column(8, 1024), kFirst), 0) << "as many as there are ways";
  EXPECT_EQ(traffic(column(9, 1024), kFirst), 9 * 64 * 1600) << "each time all of them";
  EXPECT_EQ(traffic(column(16, 512), kFirst), 0) << "2 KB apart: two sets";
}

}  // namespace
}  // namespace hone::feature
