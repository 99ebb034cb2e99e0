#include "score/informed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

// Says that every row costs its first column; learns nothing.
class CostColumn final : public Model {
 public:
  const char* kind() const override { return "column"; }
  void train(std::span<const Sample>, std::span<const double>) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out;
    for (const Sample& sample : samples) {
      Prediction& prediction = out.emplace_back();
      double cost = 0;
      for (std::size_t row = 0; row < sample.n_rows(); ++row) {
        prediction.parts.push_back(-sample.row(row)[0]);
        cost += static_cast<double>(sample.row(row)[0]);
      }
      prediction.score = 1 / cost;
    }
    return out;
  }
  std::string weights() const override { return ""; }
  void set_weights(const std::string& /*bytes*/) override {}
};

Informed informed() { return {std::make_unique<CostColumn>(), BoostedTreesOptions{}}; }

// A statement's cost, and a property of which the prior does not know that it doubles the time.
Sample program(float cost, bool is_slow) {
  return {.values = {cost, is_slow ? 1.0F : 0.0F}, .nodes = {0}};
}
double label_of(const Sample& sample) { return (sample.row(0)[1] > 0 ? 1.0 : 2.0) / sample.row(0)[0]; }

void teach(Informed& model, int n) {
  std::vector<Sample> samples;
  std::vector<double> labels;
  for (int i = 0; i < n; ++i) {
    samples.push_back(program(2 + static_cast<float>(i % 7), i % 2 == 0));
    labels.push_back(label_of(samples.back()));
  }
  model.train(samples, labels);
}

Prediction predict(const Model& model, const Sample& sample) { return model.predict({&sample, 1})[0]; }

TEST(Informed, KnowsThePriorUntilItIsTaught) {
  EXPECT_NEAR(predict(informed(), program(4, true)).score, 0.25, 1e-6);
}

TEST(Informed, LearnsWhereThePriorIsWrong) {
  Informed model = informed();
  teach(model, 64);
  // Beyond the costs that it was taught with it still has the prior's word, and its own correction.
  for (const float cost : {3.0F, 40.0F}) {
    const Sample slow = program(cost, true), fast = program(cost, false);
    EXPECT_NEAR(predict(model, slow).score, label_of(slow), 0.1 * label_of(slow)) << cost;
    EXPECT_NEAR(predict(model, fast).score, label_of(fast), 0.1 * label_of(fast)) << cost;
  }
  EXPECT_LT(predict(model, program(4, true)).parts[0],
            1.5F * predict(model, program(4, false)).parts[0]);
}

// As networks are.
class Silent final : public Predictor {
 public:
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    return std::vector<Prediction>(samples.size(), {.score = 1});
  }
};

TEST(Informed, OfAPriorThatTellsNoPartsThereAreNone) {
  Informed model(std::make_shared<Silent>(), BoostedTreesOptions{});
  teach(model, 64);
  EXPECT_TRUE(predict(model, program(4, true)).parts.empty());
}

TEST(Informed, AnotherOpinionHasAVoiceUntilTrialsSpeak) {
  Informed model(std::make_shared<CostColumn>(), BoostedTreesOptions{}, std::make_shared<Silent>());
  const Sample sample = program(4, false);
  ASSERT_EQ(model.n_voices(), 2);
  EXPECT_EQ(model.predict_as(0, {&sample, 1})[0].score, 0.25);
  EXPECT_EQ(model.predict_as(1, {&sample, 1})[0].score, 1);
  teach(model, 8);
  EXPECT_EQ(model.n_voices(), 1);
  EXPECT_EQ(informed().n_voices(), 1) << "there is no other";
}

TEST(Informed, AStatementMoreIsNoGain) {
  Informed model = informed();
  teach(model, 64);
  const Sample alone = program(4, false);
  const Sample twice{.values = {4, 0, 4, 0}, .nodes = {0, 1}};
  EXPECT_LT(predict(model, twice).score, 0.9 * predict(model, alone).score);
}

TEST(Informed, ComesBackFromItsBytes) {
  Informed model = informed(), other = informed();
  teach(model, 40);
  other.set_weights(model.weights());
  const Sample sample = program(3, true);
  EXPECT_EQ(predict(model, sample).score, predict(other, sample).score);
  EXPECT_THROW(other.set_weights("{}"), UserError);
  EXPECT_THROW(other.set_weights("{\"trials\": 1, \"scale\": \"0x1p+0\"}\nrow"), UserError);
}

}  // namespace
}  // namespace hone::score
