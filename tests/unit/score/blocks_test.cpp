#include "score/blocks.h"

#include <gtest/gtest.h>

namespace hone::score {
namespace {

class Threads final : public DenseFunction {
 public:
  void run(std::size_t /*unused*/, std::span<const std::span<const float>> /*unused*/,
           std::span<const std::span<float>> /*unused*/) const override {}
  std::size_t threads() const override { return 3; }
};

TEST(Blocks, EverySampleIsAskedAboutOnceAndSoonEnoughForAllThreads) {
  for (const std::size_t n : {0, 1, 2, 3, 127, 129, 1000}) {
    std::vector<Sample> samples(n);
    for (std::size_t i = 0; i < n; ++i) samples[i].values = {static_cast<float>(i)};
    std::vector<std::size_t> sizes;
    const auto said = in_blocks(Threads(), samples, [&](std::span<const Sample> block) {
      sizes.push_back(block.size());
      std::vector<Prediction> out;
      for (const Sample& sample : block) out.push_back({.score = sample.values[0]});
      return out;
    });
    ASSERT_EQ(said.size(), n);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(said[i].score, static_cast<double>(i));
    EXPECT_GE(sizes.size(), std::min<std::size_t>(n, 2)) << n;
    for (const std::size_t size : sizes) EXPECT_LE(size, 128U);
  }
}

}  // namespace
}  // namespace hone::score
