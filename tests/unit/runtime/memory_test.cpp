#include "runtime/memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace hone::runtime {
namespace {

bool aligned(const void* data, std::uintptr_t to) {
  return reinterpret_cast<std::uintptr_t>(data) % to == 0;
}

TEST(AlignedBuffer, IsZeroedAndAligned) {
  for (const std::size_t size : {1u, 64u, 5000u, 3u << 20}) {
    const AlignedBuffer buffer(size);
    ASSERT_NE(buffer.data(), nullptr);
    EXPECT_TRUE(aligned(buffer.data(), size > 1u << 20 ? 2u << 20 : 64)) << size;
    EXPECT_EQ(buffer.data()[0], std::byte{0});
    EXPECT_EQ(buffer.data()[size - 1], std::byte{0});
  }
}

TEST(AlignedBuffer, IsEmptyWhenThereIsNoMemory) {
  EXPECT_EQ(AlignedBuffer(std::size_t{1} << 60).data(), nullptr);
}

TEST(GuardedBuffer, CanBeWrittenFromFirstToLastByte) {
  for (const std::size_t size : {1u, 63u, 64u, 100u, 4096u, 5000u, (3u << 20) + 4}) {
    const GuardedBuffer buffer(size);
    ASSERT_NE(buffer.data(), nullptr);
    EXPECT_TRUE(aligned(buffer.data(), 64));
    std::memset(buffer.data(), 1, size);
    EXPECT_EQ(buffer.damage(), Damage::None) << size;
  }
}

TEST(GuardedBuffer, SeesAByteWrittenBesideIt) {
  const GuardedBuffer buffer(100);
  buffer.data()[100] = std::byte{0};
  EXPECT_EQ(buffer.damage(), Damage::After);
  buffer.data()[100] = std::byte{0xFF};
  EXPECT_EQ(buffer.damage(), Damage::None);
  buffer.data()[-1] = std::byte{0};
  EXPECT_EQ(buffer.damage(), Damage::Before);
}

TEST(GuardedBuffer, SeesAByteWrittenFarBeforeALargeOne) {
  const GuardedBuffer buffer(std::size_t{1} << 20);
  buffer.data()[-(1 << 19)] = std::byte{0};
  EXPECT_EQ(buffer.damage(), Damage::Before);
}

TEST(GuardedBuffer, HoldsNoNumbersBesideTheData) {
  const GuardedBuffer buffer(100);
  float behind = 0;
  std::memcpy(&behind, buffer.data() + 100, sizeof(behind));
  EXPECT_TRUE(std::isnan(behind));
}

TEST(GuardedBuffer, KnowsItsGuardPages) {
  const GuardedBuffer buffer(4096);
  EXPECT_TRUE(buffer.guards(buffer.data() + 4096));
  EXPECT_TRUE(buffer.guards(buffer.data() - 1));
  EXPECT_FALSE(buffer.guards(buffer.data()));
  EXPECT_FALSE(buffer.guards(buffer.data() + 4095));
  const int elsewhere = 0;
  EXPECT_FALSE(buffer.guards(&elsewhere));
}

TEST(GuardedBufferDeathTest, FaultsBehindTheEndAndBeforeTheFirstPage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr std::ptrdiff_t kHugePage = 2 << 20;
  for (const auto& [size, page] :
       {std::pair<std::size_t, std::ptrdiff_t>{128, 4096}, {(std::size_t{3} << 20) + 128, kHugePage}}) {
    const GuardedBuffer buffer(size);
    EXPECT_DEATH(buffer.data()[size + 64] = std::byte{0}, "");
    EXPECT_DEATH(buffer.data()[-page] = std::byte{0}, "");
  }
}

TEST(GuardedBufferDeathTest, CanOnlyBeReadOnceSealed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  GuardedBuffer buffer(1000);
  buffer.data()[5] = std::byte{7};
  buffer.seal();
  EXPECT_EQ(buffer.data()[5], std::byte{7});
  EXPECT_TRUE(buffer.holds(buffer.data() + 5));
  EXPECT_DEATH(buffer.data()[5] = std::byte{0}, "");
}

TEST(GuardedBuffer, KeepsItsGuardsWhenMoved) {
  std::vector<GuardedBuffer> buffers;
  for (int i = 0; i < 10; ++i) buffers.emplace_back(256);
  for (const GuardedBuffer& buffer : buffers) {
    EXPECT_EQ(buffer.damage(), Damage::None);
    EXPECT_TRUE(buffer.guards(buffer.data() + 256));
  }
}

}  // namespace
}  // namespace hone::runtime
