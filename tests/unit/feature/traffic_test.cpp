#include "feature/traffic.h"

#include <gtest/gtest.h>

#include <utility>

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

TEST(Footprint, RowsThatLieCloseShareAPage) {
  EXPECT_EQ(footprint({1, 16}, {64, 144}, 4).in_page, 64);
  EXPECT_EQ(footprint({28, 16}, {64, 144}, 4).in_page, 7 * 64) << "576 bytes apart";
  EXPECT_EQ(footprint({3, 16}, {64, 144}, 4).in_page, 3 * 64) << "no more than there are";
  EXPECT_EQ(footprint({28, 16}, {64, 2048}, 4).in_page, 64) << "a page for each";
  EXPECT_EQ(footprint({28, 144}, {64, 144}, 4).in_page, 4096);
}

TEST(Footprint, PaddingIsNotTouched) {
  EXPECT_EQ(footprint({9, 9, 16}, {7, 7, 16}, 4).bytes, 7 * 7 * 16 * 4);
  EXPECT_EQ(footprint({9, 9, 16}, {7, 7, 16}, 4).run, 7 * 7 * 16 * 4);
}

// Nothing is touched twice: all of every part is fresh.
Footprints walk(std::vector<double> extents, const std::vector<Footprint>& parts) {
  return {.buffer_bytes = {1e9}, .extents = std::move(extents), .parts = parts, .fresh_parts = parts};
}

// `rows` rows of an element each, read again and again by two loops around them.
Footprints column(std::int64_t rows, std::int64_t row_elements) {
  const Footprint part = footprint({rows, 1}, {1024, row_elements}, 4);
  return walk({static_cast<double>(rows), 16, 100}, {part, part, part});
}

// What is written moves twice, but needs room once.
TEST(Traffic, WhatIsWrittenNeedsRoomOnce) {
  Footprints written = column(300, 1000);
  for (Footprint& part : written.parts) part.passes = 2;
  EXPECT_EQ(traffic(written, kFirst, {}), 0) << "300 lines of 512";
}

TEST(Traffic, WhatFitsStays) {
  EXPECT_EQ(traffic(column(100, 1000), kFirst, {}), 0);
  EXPECT_GT(traffic(column(1000, 1000), kFirst, {}), 0);
}

TEST(Traffic, RowsThatShareASetLeaveItEarlier) {
  EXPECT_EQ(traffic(column(8, 1024), kFirst, {}), 0) << "as many as there are ways";
  EXPECT_EQ(traffic(column(11, 1024), kFirst, {}), 0) << "and hardly more";
  EXPECT_EQ(traffic(column(14, 1024), kFirst, {}), 14 * 64 * 1600) << "each time all of them";
  EXPECT_EQ(traffic(column(16, 512), kFirst, {}), 0) << "2 KB apart: two sets";
}

// All of 4096 rows, twice 64 bytes of each, or more between them: either a part of every row and then
// the other one, or row by row.
Footprints halves(bool is_by_row, std::int64_t row_elements = 32) {
  const auto part = [&](std::int64_t rows, std::int64_t elements) {
    return footprint({rows, elements}, {4096, row_elements}, 4);
  };
  if (is_by_row) return walk({16, 2, 4096}, {part(1, 16), part(1, 32), part(4096, 32)});
  return walk({16, 4096, 2}, {part(1, 16), part(4096, 16), part(4096, 32)});
}

TEST(Traffic, WhatIsFetchedInTheOrderOfMemoryComesSooner) {
  EXPECT_EQ(traffic(halves(true), kFirst, {}), traffic(halves(false), kFirst, {})) << "as many bytes";
  const Restart every_gap{.bytes = 192, .counts_gaps = true};
  EXPECT_NEAR(traffic(halves(true), kFirst, every_gap), 4096 * 128, 192);
  EXPECT_EQ(traffic(halves(false), kFirst, every_gap), 4096 * 128 * (1 + 192.0 / 64));
}

// Rows of 16 KB, 64 bytes of each and then the next 64: more rows than a set has ways.
TEST(Traffic, WhatComesAheadMustFindRoom) {
  const Restart restart{.bytes = 128, .counts_gaps = false};
  const auto rows = [](std::int64_t n) {
    const auto part = [n](std::int64_t elements) { return footprint({n, elements}, {64, 4096}, 4); };
    return walk({16, 256, 64}, {part(16), part(4096), part(4096)});
  };
  const double alone = 128.0 / 4096, crowded = 128.0 / 64;
  EXPECT_EQ(traffic(rows(4), kFirst, restart), 4 * 16384 * 64 * (1 + alone));
  EXPECT_EQ(traffic(rows(12), kFirst, restart), 12 * 16384 * 64 * (1 + crowded));
}

TEST(Traffic, BetweenCachesGapsCountThatLeadToAnotherPage) {
  const Restart restart{.bytes = 128, .counts_gaps = false};
  EXPECT_EQ(traffic(halves(false), kFirst, restart), 4096 * 128 * (1 + 128.0 / (32 * 64)));
  EXPECT_EQ(traffic(halves(false, 1024), kFirst, restart), 4096 * 128 * (1 + 128.0 / 64));
}

// Three lines, one below the other, then the same further right; of the three only the last is new, as
// the window moved down before. One sequence is fetched where three would be.
TEST(Traffic, OfAWindowThatMovesDownOneRowIsFetched) {
  const Footprint window = footprint({3, 16}, {4096, 1024}, 4);
  const Footprint rows = footprint({3, 1024}, {4096, 1024}, 4);
  Footprints touched = walk({48, 64, 4096}, {window, rows, footprint({4096, 1024}, {4096, 1024}, 4)});
  const Restart restart{.bytes = 64, .streams = 2, .counts_gaps = true};
  const double apart = traffic(touched, kFirst, restart);
  touched.fresh_parts = {footprint({1, 16}, {4096, 1024}, 4), footprint({1, 1024}, {4096, 1024}, 4),
                         touched.parts.back()};
  EXPECT_LT(traffic(touched, kFirst, restart), 0.6 * apart);
}

TEST(PageVisits, RowsInAsManyPagesAsAreRememberedCostNothing) {
  EXPECT_EQ(page_visits(column(32, 1024), 64), 0) << "a page a row";
  EXPECT_EQ(page_visits(column(128, 1024), 64), 128 * 1600) << "each time all of them";
  EXPECT_EQ(page_visits(column(128, 32), 64), 0) << "32 rows a page";
}

}  // namespace
}  // namespace hone::feature
