// Models whose dependence on their input is known get it back.
#include "score/ablation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "score/join_rows.h"
#include "score/nearest_rows.h"

namespace hone::score {
namespace {

// exp of the sum of some numbers of the sample, half as likely to work as others.
class Sum final : public Predictor {
 public:
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out;
    for (const Sample& sample : samples)
      out.push_back(
          {.score = std::exp(double{sample.values[1]} + 2 * double{sample.views[0].values[3]}),
           .valid = 0.5});
    return out;
  }
};

Sample sample() {
  return {.values = {1, 2, 3, 4}, .nodes = {0, 1}, .views = {{"steps", 2, {5, 6, 7, 8}}}};
}

TEST(Ablation, OnlyWhatTheModelReadsIsResponsible) {
  const std::vector<Ablation> ablations = {{{"", 1, 1}},
                                           {{"", 0, 9}, {"", 2, 9}, {"", 3, 9}},
                                           {{"steps", 3, 5}},
                                           {{"steps", 0, 0}, {"", 1, 0}}};
  const std::vector<double> gains = effects(Sum(), sample(), ablations);
  ASSERT_EQ(gains.size(), 4U);
  EXPECT_NEAR(gains[0], 1, 1e-12);  // 2 instead of 1
  EXPECT_EQ(gains[1], 0);
  EXPECT_NEAR(gains[2], 6, 1e-12);  // twice 8 instead of twice 5
  EXPECT_NEAR(gains[3], 2, 1e-12);
}

TEST(Ablation, WorthCountsTheDoubtThatAProgramWorks) {
  EXPECT_NEAR(log_worth({.score = 1, .valid = 0.5}), std::log(0.5), 1e-12);
  EXPECT_LT(log_worth({.score = -1}), log_worth({.score = 0.01}));
  EXPECT_TRUE(std::isfinite(log_worth({.score = 1, .valid = 0})));
}

TEST(JoinRows, EveryRowGetsWhatIsKnownOfTheTask) {
  Sample joined{
      .values = {}, .nodes = {}, .views = {{"statements", 2, {1, 2, 3, 4}}, {"embedding", 1, {7}}}};
  join_rows(joined);
  EXPECT_EQ(joined.values, (std::vector<float>{1, 2, 7, 3, 4, 7}));
  EXPECT_EQ(joined.n_rows(), 2U);
  EXPECT_TRUE(joined.views.empty());
}

TEST(NearestRows, NearestComeFirstAndEqualsByNumber) {
  NearestRows rows({0, 0}, 3);
  EXPECT_EQ(rows.median_distance(), 0);
  rows.add(7, std::vector<float>{3, 4});
  rows.add(5, std::vector<float>{0, 1});
  rows.add(2, std::vector<float>{1, 0});
  rows.add(9, std::vector<float>{0, 0});
  const std::vector<NearestRows::Near> nearest = rows.nearest();
  ASSERT_EQ(nearest.size(), 3U);
  EXPECT_EQ(nearest[0].number, 9U);
  EXPECT_EQ(nearest[1].number, 2U);
  EXPECT_EQ(nearest[2].number, 5U);
  EXPECT_EQ(nearest[0].distance, 0);
  EXPECT_EQ(nearest[2].distance, 1);
  EXPECT_EQ(rows.median_distance(), 1);
  EXPECT_EQ(rows.size(), 4U);
}

}  // namespace
}  // namespace hone::score
