#include "base/duration.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone {
namespace {

TEST(Duration, ReadsNumbersWithUnits) {
  EXPECT_DOUBLE_EQ(parse_duration("30s"), 30);
  EXPECT_DOUBLE_EQ(parse_duration("500ms"), 0.5);
  EXPECT_DOUBLE_EQ(parse_duration("20m"), 1200);
  EXPECT_DOUBLE_EQ(parse_duration("1h30m"), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("1.5h"), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("2d"), 172800);
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* text : {"", "30", "s", "-3s", "3x", "3s4", "0s", "1e99s", "inf", "nan s", "9999d"}) {
    EXPECT_THROW(parse_duration(text), UserError) << text;
  }
}

TEST(Duration, PrintsAsAClockDoes) {
  EXPECT_EQ(print_clock(7.9), "0:07");
  EXPECT_EQ(print_clock(760), "12:40");
  EXPECT_EQ(print_clock(3723), "1:02:03");
}

TEST(Duration, PrintsTimesInTheUnitThatFits) {
  EXPECT_EQ(print_time(12.5e-6), "12.50 us");
  EXPECT_EQ(print_time(1.2345e-3), "1.234 ms");
  EXPECT_EQ(print_time(2.5), "2.500 s");
}

}  // namespace
}  // namespace hone
