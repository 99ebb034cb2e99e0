#include "score/informed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "score/make_model.h"

namespace hone::score {
namespace {

// Scores are a column of the one row; learns nothing.
class ColumnModel final : public Model {
 public:
  explicit ColumnModel(std::size_t column) : column_(column) {}
  const char* kind() const override { return "column"; }
  void train(std::span<const Sample>, std::span<const double>) override {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      out[i].score = static_cast<double>(samples[i].row(0)[column_]);
      out[i].parts = {static_cast<float>(column_)};
    }
    return out;
  }
  std::string weights() const override { return "column"; }
  void set_weights(const std::string& bytes) override {
    if (bytes != "column") throw UserError("not a column");
  }

 private:
  std::size_t column_;
};

Informed informed() { return {std::make_unique<ColumnModel>(0), std::make_unique<ColumnModel>(1)}; }

Sample sample_of(float prior, float learned) { return {.values = {prior, learned}, .nodes = {0}}; }

double score(const Model& model, const Sample& sample) { return model.predict({&sample, 1})[0].score; }

// As many trials whose prior is half of the label.
void teach(Informed& model, std::size_t n) {
  const std::vector<Sample> samples(n, sample_of(0.4F, 0.8F));
  model.train(samples, std::vector<double>(n, 0.8));
}

TEST(Informed, KnowsThePriorUntilItIsTaught) {
  EXPECT_NEAR(score(informed(), sample_of(0.3F, 0.9F)), 0.3, 1e-6);
}

TEST(Informed, TrialsTakeOverFromThePrior) {
  Informed model = informed();
  const Sample sample = sample_of(0.1F, 0.8F);  // 0.2 once the prior has been scaled
  double last = 0.2;
  for (const std::size_t n : {8, 64, 1000}) {
    teach(model, n);
    const double now = score(model, sample);
    EXPECT_GT(now, last) << n;
    last = now;
  }
  EXPECT_GT(last, 0.7);
  teach(model, 64);
  EXPECT_NEAR(score(model, sample), std::sqrt(0.2 * 0.8), 1e-3) << "both count the same";
}

TEST(Informed, ComesBackFromItsBytes) {
  Informed model = informed(), other = informed();
  teach(model, 40);
  other.set_weights(model.weights());
  const Sample sample = sample_of(0.3F, 0.5F);
  EXPECT_EQ(score(model, sample), score(other, sample));
  EXPECT_THROW(other.set_weights("{}"), UserError);
  EXPECT_THROW(other.set_weights("{\"trials\": 1, \"scale\": \"0x1p+0\"}\nrow"), UserError);
}

}  // namespace
}  // namespace hone::score
