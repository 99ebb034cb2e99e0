#include "feature/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace hone::feature {
namespace {

double column(const std::vector<float>& row, std::string_view name) {
  const auto at = std::ranges::find(machine_names(), name);
  EXPECT_NE(at, machine_names().end()) << name;
  return row.at(static_cast<std::size_t>(at - machine_names().begin()));
}

TEST(Machine, TellsWhatIsKnownFromWhatIsNot) {
  const std::vector<float> row =
      machine_row(target::parse_descriptor("kind=cpu cores=7 l2_kib=1023"), {.cores = 3});
  ASSERT_EQ(row.size(), machine_names().size());
  EXPECT_EQ(column(row, "is_cpu"), 1);
  EXPECT_EQ(column(row, "is_gpu"), 0);
  EXPECT_EQ(column(row, "cores"), 3);
  EXPECT_EQ(column(row, "threads"), 2);  // the records'
  EXPECT_EQ(column(row, "l2_kib"), 10);
  EXPECT_EQ(column(row, "l2_kib_is_known"), 1);
  EXPECT_EQ(column(row, "peak_gflops"), 0);
  EXPECT_EQ(column(row, "peak_gflops_is_known"), 0);
}

// Both write the same eight numbers into their records.
TEST(Machine, KnownLimitsOfAGpuComeFirst) {
  const space::Hardware recorded{.kind = space::Hardware::Kind::Gpu,
                                 .cores = -1,
                                 .max_shared_bytes = 49152,
                                 .max_threads = 1024,
                                 .warp = 32};
  const std::vector<float> row =
      machine_row(target::parse_descriptor("kind=gpu cores=80 block_shared_kib=95"), recorded);
  EXPECT_FLOAT_EQ(column(row, "block_shared_kib"), std::log2(96.0));
  EXPECT_FLOAT_EQ(column(row, "block_threads"), std::log2(1025.0));
  EXPECT_EQ(column(row, "threads_is_known"), 0);
  EXPECT_EQ(column(machine_row({}, recorded), "is_gpu"), 1);
  EXPECT_EQ(column(machine_row({}, recorded), "cores_is_known"), 0);
}

}  // namespace
}  // namespace hone::feature
