// A model from outside, compiled and asked as a search does it.
#include "tune/onnx_scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/temporary_folder.h"
#include "feature/replayed.h"
#include "feature/summary.h"
#include "model/build.h"
#include "model/write.h"
#include "space/hardware.h"
#include "space/tiling.h"
#include "target/detect.h"
#include "task/catalogue.h"
#include "tune/learned_scorer.h"

namespace hone::tune {
namespace {

// The mean of the summary's columns; `hidden` is the summary itself.
model::Model mean_of_summary(bool tells_hidden) {
  constexpr std::int64_t kColumns = 177;
  model::Build build("mean");
  const model::Value summary = build.input("summary", ir::Scalar::F32, {4, kColumns});
  const model::Value score =
      build.add("ReduceMean", "mean", {summary}, {4, 1}, {{"axes", std::vector<std::int64_t>{1}}});
  const model::Value hidden = build.add("Relu", "relu", {summary}, {4, kColumns});
  std::vector<std::pair<std::string, model::Value>> outputs = {{"score", score}};
  if (tells_hidden) outputs.emplace_back("hidden", hidden);
  model::Model model = std::move(build).finish(outputs);
  (*model.inputs[0].shape)[0] = {.extent = std::nullopt, .symbol = "batch"};
  model.metadata = {{"hone.feature.summary", std::to_string(feature::kSummaryVersion)}};
  return model;
}

class OnnxScorerTest : public testing::Test {
 protected:
  std::string write(const model::Model& model) {
    const std::string path = folder_.path().string() + "/model.onnx";
    model::write(model, path);
    return path;
  }
  std::string refusal(const std::string& path, bool tells_hidden) {
    try {
      load_scorer(path, target_, "", tells_hidden);
    } catch (const UserError& error) {
      return std::string(error.what()).substr(path.size());
    }
    return "taken";
  }
  const TemporaryFolder folder_;
  const target::Target target_ = target::host();
};

TEST_F(OnnxScorerTest, CompiledModelSaysWhatTheModelSays) {
  const auto scorer = load_scorer(write(mean_of_summary(true)), target_, folder_.path().string(), true);
  const auto task = std::make_shared<const task::Task>(task::from_op("matmul:m=16,n=16,k=16"));
  const space::Hardware hardware = space::hardware_of(target_);
  const Views views(*scorer, task, hardware);
  score::Sample sample;
  sample.views = views.of(feature::Replayed(task, space::analytic_steps(*task, target_, 1), hardware));
  const std::vector<float>& row = sample.views[0].values;
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
  for (const score::Prediction& said : scorer->predict(std::vector(5, sample))) {
    EXPECT_NEAR(std::log(said.score), mean, 1e-4 * std::abs(mean));
    EXPECT_EQ(said.hidden.size(), row.size());
  }
}

TEST_F(OnnxScorerTest, RefusalsNameTheFile) {
  model::Model model = mean_of_summary(false);
  EXPECT_EQ(refusal(write(model), true), " does not say what its last layer reads");
  model.metadata["hone.feature.summary"] = "0";
  EXPECT_EQ(refusal(write(model), false),
            ": it is made for version 0 of `summary`, and this hone makes version " +
                std::to_string(feature::kSummaryVersion));
}

}  // namespace
}  // namespace hone::tune
