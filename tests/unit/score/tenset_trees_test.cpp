#include "score/tenset_trees.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "score/metrics.h"
#include "tests/shared_data.h"
#include "tests/unit/score/synthetic.h"

namespace hone::score {
namespace {

bool has_lightgbm() {
  try {
    make_lightgbm(Table{.values = {0, 1, 2, 3}, .columns = 1}, 1);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

class TenSetTreesTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::string(GetParam()) == "lightgbm" && !has_lightgbm())
      GTEST_SKIP() << "LightGBM's library is not here; HONE_LIGHTGBM says where it lies";
  }
};

std::vector<double> scores(const Model& model, const Synthetic& data) {
  std::vector<double> out;
  for (const Prediction& prediction : model.predict(data.samples)) out.push_back(prediction.score);
  return out;
}

std::vector<double> times(const Synthetic& data) {
  std::vector<double> out;
  for (const double label : data.labels) out.push_back(1 / label);
  return out;
}

TEST_P(TenSetTreesTest, SumsOverStatementsFitTheLabels) {
  const Synthetic learned = synthetic(400, 3, 1), other = synthetic(200, 3, 2);
  TenSetTrees model(GetParam(), {.rounds = 60});
  model.train(learned.samples, learned.labels);
  EXPECT_LT(rmse(scores(model, learned), learned.labels), 0.05);
  EXPECT_GT(rank_correlation(scores(model, other), times(other)), 0.8);
  const Prediction first = model.predict(other.samples)[0];
  ASSERT_EQ(first.parts.size(), 3U);
  EXPECT_NEAR(std::accumulate(first.parts.begin(), first.parts.end(), 0.0), first.score, 1e-6);
}

TEST_P(TenSetTreesTest, ComeBackFromTheirBytes) {
  const Synthetic data = synthetic(100, 2, 1);
  TenSetTrees model(GetParam(), {.rounds = 10}), other(GetParam(), {});
  EXPECT_EQ(scores(model, data), std::vector<double>(100));  // before anything was learned
  model.train(data.samples, data.labels);
  other.set_weights(model.weights());
  const std::vector<double> wanted = scores(model, data), given = scores(other, data);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(given[i], wanted[i], 1e-6);
  EXPECT_THROW(other.set_weights("nothing of the kind"), UserError);
}

TEST_P(TenSetTreesTest, ProgramsWithoutStatementsDoNotWork) {
  Synthetic data = synthetic(50, 2, 1);
  data.samples[7] = {};
  TenSetTrees model(GetParam(), {.rounds = 5});
  model.train(data.samples, data.labels);
  const std::vector<Prediction> predictions = model.predict(data.samples);
  EXPECT_EQ(predictions[7].valid, 0);
  EXPECT_EQ(predictions[6].valid, 1);
}

INSTANTIATE_TEST_SUITE_P(Libraries, TenSetTreesTest, testing::Values("xgboost", "lightgbm"));

}  // namespace
}  // namespace hone::score
