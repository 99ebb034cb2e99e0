// Models from outside: what they may declare, and what they say of programs.
#include "score/onnx_network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "model/build.h"
#include "tests/unit/score/network_by_hand.h"

namespace hone::score {
namespace {

constexpr std::int64_t kRows = 4;

std::vector<OnnxInput> known() {
  return {{"rows", "tlp", 1, 2, true}, {"summary", "summary", 3, 3, false}};
}

// The sum of the first `kRows` rows' numbers less that of the summary's.
model::Model sums_model() {
  model::Build build("sums");
  const model::Value rows = build.input("rows", ir::Scalar::F32, {8, kRows, 2});
  const model::Value summary = build.input("summary", ir::Scalar::F32, {8, 3});
  const auto sum = [&](const char* name, const model::Value& of, std::vector<std::int64_t> axes) {
    return build.add("ReduceSum", name,
                     {of, build.constant(std::string(name) + ".axes", model::int64_tensor(axes))}, {8},
                     {{"keepdims", std::int64_t{0}}});
  };
  const model::Value out =
      build.add("Sub", "score", {sum("of_rows", rows, {1, 2}), sum("of_summary", summary, {1})}, {8});
  model::Model made = std::move(build).finish({{"said", out}});
  made.metadata = {{"hone.feature.rows", "1"}, {"hone.feature.summary", "3"}};
  return made;
}

void open_batch(model::Model& model) {
  for (model::Port& input : model.inputs)
    (*input.shape)[0] = {.extent = std::nullopt, .symbol = "batch"};
}

Sample sample(std::vector<float> rows, std::vector<float> summary) {
  return {.values = {},
          .nodes = {},
          .views = {{"summary", 3, std::move(summary)}, {"tlp", 2, std::move(rows)}}};
}

std::string refusal(const model::Model& model) {
  try {
    make_onnx_network(model, known(), evaluated);
  } catch (const UserError& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "taken";
}

TEST(OnnxNetwork, ReadsWhatItDeclaresPaddedAndCut) {
  for (const bool open : {false, true}) {
    model::Model model = sums_model();
    if (open) open_batch(model);
    const auto network = make_onnx_network(model, known(), evaluated);
    EXPECT_EQ(network->views(), (std::vector<std::string>{"tlp", "summary"}));
    std::vector<Sample> samples(9, sample({1, 1}, {0.5, 0, 0}));
    samples.push_back(sample({1, 2, 1, 0, 0, 0, 0, 0, 50, 50}, {0, 1, 1}));
    const std::vector<Prediction> said = network->predict(samples);
    EXPECT_NEAR(std::log(said[8].score), 1.5, 1e-6);
    EXPECT_NEAR(std::log(said[9].score), 2, 1e-6);
  }
}

TEST(OnnxNetwork, LatenciesAreTurnedRound) {
  model::Model model = sums_model();
  model.metadata["hone.output"] = "log_latency";
  const auto network = make_onnx_network(model, known(), evaluated);
  EXPECT_NEAR(std::log(network->predict(std::vector{sample({1, 1}, {0, 0, 0})})[0].score), -2, 1e-6);
  model.metadata["hone.output"] = "speed";
  EXPECT_EQ(refusal(model), "its hone.output is `speed` | score (higher is faster) or log_latency");
}

TEST(OnnxNetwork, MaskTellsWhichRowsThereAre) {
  model::Build build("masked");
  const model::Value mask = build.input("rows_mask", ir::Scalar::F32, {8, kRows});
  const model::Value axes = build.constant("axes", model::int64_tensor({1}));
  const model::Value out = build.add("ReduceSum", "count", {mask, axes}, {8, 1});
  model::Model model = std::move(build).finish({{"score", out}});
  model.metadata = {{"hone.feature.rows", "1"}};
  const auto network = make_onnx_network(model, known(), evaluated);
  EXPECT_NEAR(std::log(network->predict(std::vector{sample({0, 0, 0, 0}, {})})[0].score), 2, 1e-6);
}

TEST(OnnxNetwork, SecondOutputIsWhatTheLastLayerReads) {
  model::Build build("hidden");
  const model::Value summary = build.input("summary", ir::Scalar::F32, {8, 3});
  const model::Value hidden = build.add("Relu", "relu", {summary}, {8, 3});
  const model::Value axes = build.constant("axes", model::int64_tensor({1}));
  const model::Value out = build.add("ReduceSum", "sum", {hidden, axes}, {8, 1});
  model::Model model = std::move(build).finish({{"score", out}, {"hidden", hidden}});
  model.metadata = {{"hone.feature.summary", "3"}};
  const auto network = make_onnx_network(model, known(), evaluated);
  const Prediction said = network->predict(std::vector{sample({}, {1, -1, 2})})[0];
  EXPECT_EQ(said.hidden, (std::vector<float>{1, 0, 2}));
}

TEST(OnnxNetwork, SaysWhatDoesNotFit) {
  model::Model model = sums_model();
  model.metadata.erase("hone.feature.rows");
  EXPECT_EQ(refusal(model),
            "it does not say for which version of `rows` it is made | note hone.feature.rows=1 in its "
            "metadata_props");
  model.metadata["hone.feature.rows"] = "7";
  EXPECT_TRUE(
      refusal(model).starts_with("it is made for version 7 of `rows`, and this hone makes version 1"));
  model = sums_model();
  model.inputs[1].name = "sumary";
  EXPECT_EQ(refusal(model),
            "its input `sumary` is none of the features that hone makes | did you mean 'summary'?");
  model = sums_model();
  (*model.inputs[0].shape)[2].extent = 5;
  EXPECT_TRUE(refusal(model).starts_with(
      "its input `rows` is [8, 4, 5]; it has to be [batch, rows, 2] of float32"))
      << refusal(model);
  model = sums_model();
  (*model.inputs[0].shape)[1] = {.extent = std::nullopt, .symbol = "n"};
  EXPECT_TRUE(refusal(model).starts_with("its input `rows` is [8, n, 2]")) << refusal(model);
  model = sums_model();
  (*model.inputs[0].shape)[0].extent = 4;
  EXPECT_TRUE(refusal(model).starts_with("its inputs are for 4 and for 8 programs at once"))
      << refusal(model);
  EXPECT_EQ(refusal(sums_model()), "taken");
}

TEST(OnnxNetwork, OutputIsOneNumberAProgram) {
  model::Build build("wide");
  const model::Value summary = build.input("summary", ir::Scalar::F32, {8, 3});
  const model::Value out = build.add("Relu", "relu", {summary}, {8, 3});
  model::Model model = std::move(build).finish({{"said", out}});
  model.metadata = {{"hone.feature.summary", "3"}};
  EXPECT_EQ(
      refusal(model),
      "its output `said` is [8, 3] for a batch of 8 | one float32 a program: [batch] or [batch, 1]");
}

TEST(OnnxNetwork, WeightsAndScoresAreNumbers) {
  const auto divided_by = [](float number) {
    model::Build build("divided");
    const model::Value summary = build.input("summary", ir::Scalar::F32, {8, 3});
    const model::Value axes = build.constant("axes", model::int64_tensor({1}));
    const model::Value sum = build.add("ReduceSum", "sum", {summary, axes}, {8, 1});
    const model::Value weight = build.constant("weight", model::float_scalar(number));
    model::Model model =
        std::move(build).finish({{"score", build.add("Div", "div", {sum, weight}, {8, 1})}});
    model.metadata = {{"hone.feature.summary", "3"}};
    return model;
  };
  EXPECT_TRUE(refusal(divided_by(std::numeric_limits<float>::quiet_NaN()))
                  .starts_with("its weight `weight` holds a value that is no number"));
  const auto network = make_onnx_network(divided_by(0), known(), evaluated);
  EXPECT_THROW(network->predict(std::vector{sample({}, {0, 0, 0})}), UserError);
}

}  // namespace
}  // namespace hone::score
