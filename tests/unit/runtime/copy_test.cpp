#include "runtime/copy.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/pool.h"

namespace hone::runtime {
namespace {

TEST(CopyRows, PutsEveryRowInItsPlaceAndTouchesNothingElse) {
  Pool pool({.threads = 3});
  const hone_table table = pool.table();
  const CopyRows copies[] = {
      {1, 100, 0, 0},       {7, 10, 10, 10},        {7, 10, 12, 15},
      {5, 10, 0, 10},       {1, 300'001, 0, 0},     {3, 100'000, 100'000, 100'000},
      {300, 999, 999, 999}, {300, 999, 1000, 1024}, {0, 8, 8, 8}};
  for (const CopyRows& copy : copies) {
    std::vector<std::byte> from(400'000), to(400'000, std::byte{0xEE}), expected = to;
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7919 >> 4);
    for (std::int64_t row = 0; row < copy.rows; ++row) {
      for (std::int64_t i = 0; i < copy.row_bytes; ++i) {
        expected[static_cast<std::size_t>(row * copy.to_stride_bytes + i)] =
            from[static_cast<std::size_t>(row * copy.from_stride_bytes + i)];
      }
    }
    copy_rows(copy, from.data(), to.data(), table);
    EXPECT_TRUE(to == expected) << copy.rows << " x " << copy.row_bytes;
  }
}

}  // namespace
}  // namespace hone::runtime
