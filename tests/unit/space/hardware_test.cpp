#include "space/hardware.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::space {
namespace {

TEST(Hardware, OfATargetIsACpu) {
  target::Target target;
  target.cores = 6;
  target.vector_bits = 256;
  target.caches = {{1, 32768, 8, 128, false}};
  const Hardware hardware = hardware_of(target);
  EXPECT_EQ(hardware.kind, Hardware::Kind::Cpu);
  EXPECT_EQ(to_numbers(hardware), (std::array<std::int64_t, 8>{6, 32, 128, 0, 0, 0, 0, 0}));
}

TEST(Hardware, OfARecordHasTheRecordsOrder) {
  const std::vector<std::int64_t> numbers = {-1, 16, 64, 49152, 2147483647, 1024, 8, 32};
  const Hardware hardware = hardware_from(numbers);
  EXPECT_EQ(hardware.kind, Hardware::Kind::Gpu);
  EXPECT_EQ(hardware.max_threads, 1024);
  EXPECT_EQ(hardware.max_vthread, 8);
  EXPECT_EQ(hardware.warp, 32);
  const auto again = to_numbers(hardware);
  EXPECT_EQ(std::vector<std::int64_t>(again.begin(), again.end()), numbers);
}

TEST(Hardware, WithoutThreadsIsACpu) {
  EXPECT_EQ(hardware_from(std::vector<std::int64_t>{20, 64, 64, 0, 0, 0, 0, 0}).kind,
            Hardware::Kind::Cpu);
}

TEST(Hardware, RefusesWhatIsNoHardware) {
  EXPECT_THROW(hardware_from(std::vector<std::int64_t>{20, 64}), UserError);
  EXPECT_THROW(hardware_from(std::vector<std::int64_t>{1LL << 40, 64, 64, 0, 0, 0, 0, 0}), UserError);
}

}  // namespace
}  // namespace hone::space
