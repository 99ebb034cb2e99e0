#include "worker/inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "worker/element.h"

namespace hone::worker {
namespace {

constexpr ir::Scalar kAll[] = {ir::Scalar::Bool, ir::Scalar::I8,  ir::Scalar::I16,  ir::Scalar::I32,
                               ir::Scalar::I64,  ir::Scalar::U8,  ir::Scalar::U16,  ir::Scalar::U32,
                               ir::Scalar::U64,  ir::Scalar::F16, ir::Scalar::BF16, ir::Scalar::F32,
                               ir::Scalar::F64};

// What is written can be foretold: the parent computes expected answers from random_value alone.
TEST(Inputs, MemoryHoldsExactlyTheForetoldValues) {
  for (const ir::Scalar type : kAll) {
    std::vector<std::byte> data(500 * static_cast<std::size_t>(ir::size_bytes(type)));
    fill_random(data.data(), 500, 3, 1, type);
    for (std::int64_t i = 0; i < 500; ++i) {
      ASSERT_EQ(load_element(type, data.data(), i), random_value(3, 1, i, type))
          << ir::to_string({type, 1});
    }
  }
}

TEST(Inputs, FloatsAreEvenInMinusOneToOne) {
  for (const ir::Scalar type : {ir::Scalar::F16, ir::Scalar::BF16, ir::Scalar::F32, ir::Scalar::F64}) {
    double sum = 0, squares = 0;
    constexpr int kCount = 100'000;
    for (int i = 0; i < kCount; ++i) {
      const double value = random_value(1, 0, i, type);
      ASSERT_GE(value, -1);
      ASSERT_LT(value, 1);
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / kCount, 0, 0.02);
    EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.01);
  }
}

TEST(Inputs, IntegersAreSmall) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LE(std::abs(random_value(1, 0, i, ir::Scalar::I8)), 4);
    const double unsigned_value = random_value(1, 0, i, ir::Scalar::U8);
    EXPECT_TRUE(unsigned_value >= 0 && unsigned_value <= 8);
  }
}

TEST(Inputs, DependOnSeedBufferAndElement) {
  const double value = random_value(1, 0, 0, ir::Scalar::F32);
  EXPECT_NE(value, random_value(2, 0, 0, ir::Scalar::F32));
  EXPECT_NE(value, random_value(1, 1, 0, ir::Scalar::F32));
  EXPECT_NE(value, random_value(1, 0, 1, ir::Scalar::F32));
}

// A worker on another machine, of another build, must see the same inputs.
TEST(Inputs, StayWhatTheyAre) {
  const std::vector<double> numerators = {-286, 822, -708, -951};
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    EXPECT_EQ(random_value(1, 0, static_cast<std::int64_t>(i), ir::Scalar::F16), numerators[i] / 1024);
  }
}

}  // namespace
}  // namespace hone::worker
