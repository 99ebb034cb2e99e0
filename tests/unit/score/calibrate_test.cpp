#include "score/calibrate.h"

#include <gtest/gtest.h>

namespace hone::score {
namespace {

TEST(Calibrate, FindsScaleAndShift) {
  const std::vector<double> said = {-1, 0, 2, 4};
  std::vector<double> measured;
  for (const double value : said) measured.push_back(0.5 * value + 3);
  const Calibration found = fit_calibration(said, measured);
  EXPECT_DOUBLE_EQ(found.scale, 0.5);
  EXPECT_DOUBLE_EQ(found.shift, 3);
}

TEST(Calibrate, NeverTurnsTheOrderAround) {
  for (const std::vector<double>& measured : {std::vector<double>{3, 2, 1}, {1, 1, 1}}) {
    const Calibration found = fit_calibration(std::vector<double>{1, 2, 3}, measured);
    EXPECT_EQ(found.scale, 1);
    EXPECT_EQ(found.shift, 0);
  }
  EXPECT_EQ(fit_calibration({}, {}).scale, 1);
}

// y = W x + b of the first of two outputs; how likely a program works stays as it is.
TEST(Calibrate, ChangesTheLatencyOfEveryMemberAndNothingElse) {
  std::vector<NamedTensor> tensors = {{"member0.heads.weight", {2, 2}, {1, 2, 3, 4}},
                                      {"member0.heads.bias", {2}, {5, 6}},
                                      {"member1.heads.bias", {2}, {7, 8}},
                                      {"member1.fuse.0.weight", {1, 2}, {9, 9}},
                                      {"context_normaliser.scale", {2}, {9, 9}}};
  apply({.scale = 2, .shift = 1}, tensors);
  EXPECT_EQ(tensors[0].values, (std::vector<float>{2, 4, 3, 4}));
  EXPECT_EQ(tensors[1].values, (std::vector<float>{11, 6}));
  EXPECT_EQ(tensors[2].values, (std::vector<float>{15, 8}));
  EXPECT_EQ(tensors[3].values, (std::vector<float>{9, 9}));
  EXPECT_EQ(tensors[4].values, (std::vector<float>{9, 9}));
}

}  // namespace
}  // namespace hone::score
