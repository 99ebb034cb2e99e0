// Networks over statements against evaluations of their definitions that share no code with them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/score/small_networks.h"

namespace hone::score {
namespace {

Rows encoded(const Weights& weights, const Sample& sample, bool with_instructions = false) {
  Rows rows = rows_of(sample.views[0]);
  const Rows instructions = rows_of(sample.views[2]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].insert(rows[i].end(), sample.views[1].values.begin(), sample.views[1].values.end());
    rows[i].resize(kPlain);
    if (with_instructions)
      rows[i].insert(rows[i].end(), instructions[i].begin(), instructions[i].end());
    rows[i] = weights.apply_chain("encoder", weights.normalise("rows.normaliser", rows[i]), true);
  }
  return rows;
}

// What attention adds to each of x.
Rows attention(const Weights& weights, const std::string& name, const Rows& x) {
  Rows projected, out;
  for (const auto& row : x) projected.push_back(weights.apply(name + ".in", row));
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<double> seen(kWidth);
    for (int head = 0; head < kHeads; ++head) {
      const int size = kWidth / kHeads, at = head * size;
      std::vector<double> share(x.size());
      double total = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        double product = 0;
        for (int d = 0; d < size; ++d) product += projected[i][at + d] * projected[j][kWidth + at + d];
        total += share[j] = std::exp(product / std::sqrt(size));
      }
      for (std::size_t j = 0; j < x.size(); ++j)
        for (int d = 0; d < size; ++d)
          seen[at + d] += share[j] / total * projected[j][2 * kWidth + at + d];
    }
    out.push_back(weights.apply(name + ".out", seen));
  }
  return out;
}

std::vector<double> layer_norm(const Weights& weights, const std::string& name, std::vector<double> x) {
  double mean = 0, variance = 0;
  for (const double value : x) mean += value / kWidth;
  for (const double value : x) variance += (value - mean) * (value - mean) / kWidth;
  for (double& value : x) value = (value - mean) / std::sqrt(variance + 1e-5);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = x[i] * weights.value(name + ".weight", i) + weights.value(name + ".bias", i);
  return x;
}

double atformer_by_definition(const Weights& weights, const Sample& sample, const Variant& variant) {
  Rows x = encoded(weights, sample, variant.with_instructions);
  if (!x.empty()) x.resize(std::max(x.size(), variant.padding), std::vector<double>(kWidth));
  for (int layer = 0; layer < variant.layers; ++layer) {
    const std::string name = "layer" + std::to_string(layer);
    Rows read = x;
    if (variant.has_norm)
      for (auto& row : read) row = layer_norm(weights, name + ".norm", row);
    const Rows added = attention(weights, name + ".attention", read);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t d = 0; d < kWidth; ++d) x[i][d] += added[i][d];
  }
  return weights.apply("decoder", weights.apply_blocks("blocks", sum_of(x, kWidth)))[0];
}

TEST(StatementNetworks, EveryVariantOfAtFormerIsItsDefinition) {
  for (const Variant& variant : {Variant{2, true, 0, false}, Variant{1, false, 0, false},
                                 Variant{2, false, 4, false}, Variant{2, true, 3, true}}) {
    Weights weights = atformer_weights(variant);
    const auto network = make_network(atformer_file(weights, variant), evaluated, true);
    EXPECT_EQ(network->views().size(), variant.with_instructions ? 3U : 2U);
    const std::vector<Sample> samples = programs(weights);
    const std::vector<Prediction> predictions = network->predict(samples);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double expected = atformer_by_definition(weights, samples[i], variant);
      EXPECT_NEAR(std::log(predictions[i].score), expected, 1e-4) << variant.padding << ", " << i;
      EXPECT_NEAR(weights.apply("decoder", hidden_of(predictions[i]))[0], expected, 1e-4);
    }
  }
}

TEST(StatementNetworks, AttentionOfTenSetDecodesEachStatement) {
  Weights weights = common_weights(kPlain, false);
  add_attention(weights, "attention");
  const auto network =
      make_network(file_of("statement-attention", weights, {{"heads", "3"}}), evaluated);
  const std::vector<Sample> samples = programs(weights);
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Rows x = encoded(weights, samples[i]);
    const Rows added = attention(weights, "attention", x);
    double expected = 0;
    for (std::size_t row = 0; row < x.size(); ++row) {
      for (std::size_t d = 0; d < kWidth; ++d) x[row][d] += added[row][d];
      expected += weights.apply("decoder", x[row])[0];
    }
    EXPECT_NEAR(std::log(predictions[i].score), expected, 1e-4) << i;
  }
}

TEST(StatementNetworks, LstmSaysItsStateBehindTheLastStatement) {
  Weights weights = lstm_weights();
  const auto network = make_network(file_of("statement-lstm", weights, {}), evaluated, true);
  const std::vector<Sample> samples = programs(weights);
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Rows rows = encoded(weights, samples[i]);
    if (rows.empty()) rows.emplace_back(kWidth);
    const std::vector<double> hidden = weights.apply_lstm("lstm", rows, kWidth);
    const double expected = weights.apply("decoder", weights.apply_blocks("blocks", hidden))[0];
    EXPECT_NEAR(std::log(predictions[i].score), expected, 1e-4) << i;
  }
}

TEST(StatementNetworks, WhatDoesNotFitIsNamed) {
  const Variant variant{1, true, 0, false};
  Weights weights = atformer_weights(variant);
  ScorerFile file = atformer_file(weights, variant);
  file.header.options[0].second = "5";
  EXPECT_NE(message_of(file).find("5 heads"), std::string::npos);
  file = atformer_file(weights, {2, true, 0, false});
  EXPECT_NE(message_of(file).find("layer1"), std::string::npos);
  file = atformer_file(weights, variant);
  file.header.options.pop_back();
  EXPECT_NE(message_of(file).find("'instructions'"), std::string::npos);

  const auto network = make_network(atformer_file(weights, variant), evaluated);
  std::vector<Sample> samples = programs(weights, 65);
  EXPECT_THROW(network->predict(samples), UserError);
  samples.pop_back();
  EXPECT_EQ(network->predict(samples).size(), 65U);
}

}  // namespace
}  // namespace hone::score
