// Networks against evaluations of their definitions that share no code with them.
#include <gtest/gtest.h>

#include "tests/unit/score/network_by_hand.h"

namespace hone::score {
namespace {

constexpr int kSteps = 10, kColumns = 6, kWidth = 16, kHeads = 4;

Weights tlp_weights() {
  Weights weights;
  weights.chain("encoder", {kColumns, 8, kWidth});
  weights.linear("attention0.in", kWidth, 3 * kWidth);
  weights.linear("attention0.out", kWidth, kWidth);
  weights.chain("blocks", {kWidth, kWidth, kWidth});
  weights.chain("decoder", {kWidth, 8, 1});
  return weights;
}

ScorerFile tlp_file(const Weights& weights) {
  ScorerFile file;
  file.header.kind = "tlp";
  file.header.options = {
      {"rows", "tlp"}, {"backend", "attention"}, {"layers", "1"}, {"heads", "4"}, {"steps", "10"}};
  file.weights = weights.print();
  return file;
}

// As the paper has it: all places are tokens, those of the padding too.
double tlp_by_definition(const Weights& weights, const View& view,
                         const std::string& decoder = "decoder") {
  Rows rows = rows_of(view);
  rows.resize(kSteps, std::vector<double>(kColumns));
  Rows x, projected;
  for (const auto& row : rows) {
    x.push_back(weights.apply_chain("encoder", row, true));
    projected.push_back(weights.apply("attention0.in", x.back()));
  }
  double score = 0;
  for (int i = 0; i < kSteps; ++i) {
    std::vector<double> seen(kWidth);
    for (int head = 0; head < kHeads; ++head) {
      const int size = kWidth / kHeads, at = head * size;
      std::vector<double> share(kSteps);
      double total = 0;
      for (int j = 0; j < kSteps; ++j) {
        double product = 0;
        for (int d = 0; d < size; ++d) product += projected[i][at + d] * projected[j][kWidth + at + d];
        total += share[j] = std::exp(product / std::sqrt(size));
      }
      for (int j = 0; j < kSteps; ++j)
        for (int d = 0; d < size; ++d)
          seen[at + d] += share[j] / total * projected[j][2 * kWidth + at + d];
    }
    std::vector<double> y = weights.apply("attention0.out", seen);
    for (int d = 0; d < kWidth; ++d) y[d] += x[i][d];
    score += weights.apply_chain(decoder, weights.apply_blocks("blocks", y), false)[0];
  }
  return score;
}

TEST(Networks, TlpIsItsDefinition) {
  Weights weights = tlp_weights();
  const auto network = make_network(tlp_file(weights), evaluated, true);
  std::vector<Sample> samples;
  for (std::size_t length = 0; length <= kSteps + 2; ++length) {
    samples.push_back({});
    samples.back().views.push_back(random_view(weights, "tlp", length, kColumns));
    // Steps that are alike are one token to the network.
    std::vector<float>& values = samples.back().views[0].values;
    if (length > 3) std::copy_n(values.begin(), kColumns, values.begin() + 2 * kColumns);
  }
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    View view = samples[i].views[0];
    view.values.resize(std::min<std::size_t>(view.values.size(), kSteps * kColumns));
    EXPECT_NEAR(std::log(predictions[i].score), tlp_by_definition(weights, view), 1e-4) << i;
    const double bias = weights.apply("decoder.1", std::vector<double>(8))[0];
    const double of_hidden = weights.apply("decoder.1", hidden_of(predictions[i]))[0];
    EXPECT_NEAR(of_hidden + (kSteps - 1) * bias, std::log(predictions[i].score), 1e-4) << i;
  }
}

// Padding is read, too; programs that begin alike share what was read.
TEST(Networks, TlpWithAnLstmSaysItsStateBehindTheLastStep) {
  constexpr int kCrop = 4;  // of the columns
  Weights weights;
  weights.chain("encoder", {kCrop, 8, kWidth});
  weights.add_lstm("lstm", kWidth);
  weights.chain("blocks", {kWidth, kWidth, kWidth});
  weights.chain("decoder", {kWidth, 8, 1});
  ScorerFile file;
  file.header.kind = "tlp";
  file.header.options = {{"rows", "tlp_12x6"}, {"backend", "lstm"}, {"layers", "1"}, {"steps", "10"}};
  file.weights = weights.print();
  const auto network = make_network(file, evaluated, true);
  EXPECT_EQ(network->views(), std::vector<std::string>{"tlp_12x6"});
  std::vector<Sample> samples(kSteps + 3);
  const View longest = random_view(weights, "tlp_12x6", samples.size(), kColumns);
  for (std::size_t length = 0; length < samples.size(); ++length) {
    View view = random_view(weights, "tlp_12x6", length, kColumns);
    const std::size_t alike = std::min<std::size_t>(length / 2 * kColumns, view.values.size());
    std::copy_n(longest.values.begin(), alike, view.values.begin());
    samples[length].views.push_back(view);
  }
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Rows rows = rows_of(samples[i].views[0]), encoded;
    rows.resize(kSteps, std::vector<double>(kColumns));
    for (std::vector<double>& row : rows) {
      row.resize(kCrop);
      encoded.push_back(weights.apply_chain("encoder", row, true));
    }
    const std::vector<double> state = weights.apply_lstm("lstm", encoded, kWidth);
    const double expected =
        weights.apply_chain("decoder", weights.apply_blocks("blocks", state), false)[0];
    EXPECT_NEAR(std::log(predictions[i].score), expected, 1e-4) << i;
    EXPECT_NEAR(weights.apply("decoder.1", hidden_of(predictions[i]))[0], expected, 1e-4) << i;
    EXPECT_EQ(network->predict(std::span(samples).subspan(i, 1))[0].score, predictions[i].score) << i;
  }
}

// Flags, then numbers from a step's place to the iterations of a whole tensor.
View raw_view(Weights& weights, std::size_t rows) {
  View view{"tlp", kColumns, {}};
  for (std::size_t i = 0; i < rows; ++i) {
    view.values.insert(view.values.end(), {static_cast<float>(i % 2), static_cast<float>((i + 1) % 2),
                                           static_cast<float>(i), -3, 3e8F});
    view.values.push_back(std::round(static_cast<float>(weights.number(1e4))));
  }
  return view;
}

View on_log_scale(View view) {
  for (float& x : view.values)
    x = static_cast<float>((x < 0 ? -1 : 1) * std::log(1 + std::abs(double{x})) / std::log(2));
  return view;
}

TEST(Networks, TlpWithLogNumbersReadsThemOnALogarithmicScale) {
  Weights weights = tlp_weights();
  const ScorerFile old = tlp_file(weights);
  ScorerFile raw = old, log = old;
  raw.header.options.emplace_back("numbers", "raw");
  log.header.options.emplace_back("numbers", "log");
  std::vector<Sample> samples(kSteps);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].views.push_back(raw_view(weights, i));
  const std::vector<Prediction> predictions = make_network(log, evaluated)->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i)
    EXPECT_NEAR(std::log(predictions[i].score),
                tlp_by_definition(weights, on_log_scale(samples[i].views[0])), 1e-4)
        << i;

  // Scorers that do not say it have what was published.
  for (Sample& sample : samples) sample.views[0] = random_view(weights, "tlp", kSteps, kColumns);
  const auto of_old = make_network(old, evaluated)->predict(samples),
             of_raw = make_network(raw, evaluated)->predict(samples),
             of_log = make_network(log, evaluated)->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(of_old[i].score, of_raw[i].score) << i;
    EXPECT_GT(std::abs(std::log(of_log[i].score) - std::log(of_raw[i].score)), 1e-3) << i;
  }
}

TEST(Networks, TlpWithAnLstmAndLogNumbersReadsThemOnALogarithmicScale) {
  Weights weights = tlp_weights();
  weights.add_lstm("lstm", kWidth);
  ScorerFile file = tlp_file(weights);
  file.header.options[1].second = "lstm";
  std::vector<Sample> samples(kSteps), scaled(kSteps);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    // Larger numbers would fill its states, on either scale, and padding would empty them.
    samples[i].views.push_back(random_view(weights, "tlp", kSteps, kColumns));
    for (float& value : samples[i].views[0].values) value *= 5;
    scaled[i].views.push_back(on_log_scale(samples[i].views[0]));
  }
  const auto expected = make_network(file, evaluated)->predict(scaled);
  const auto of_raw = make_network(file, evaluated)->predict(samples);
  file.header.options.emplace_back("numbers", "log");
  const auto predictions = make_network(file, evaluated)->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_NEAR(std::log(predictions[i].score), std::log(expected[i].score), 1e-5) << i;
    EXPECT_GT(std::abs(std::log(of_raw[i].score / predictions[i].score)), 1e-3) << i;
  }
}

// Of three machines the target's decoder answers, or the mean of others.
TEST(Networks, MtlTlpIsItsDefinition) {
  Weights weights = tlp_weights();
  for (const char* decoder : {"decoder0", "decoder1", "decoder2"})
    weights.chain(decoder, {kWidth, 8, 1});
  ScorerFile file = tlp_file(weights);
  file.header.kind = "mtl-tlp";
  file.header.options.insert(file.header.options.end(), {{"platforms", "3"}, {"answer", "first"}});
  Sample sample;
  sample.views.push_back(random_view(weights, "tlp", 7, kColumns));
  std::vector<double> said;
  for (const char* decoder : {"decoder0", "decoder1", "decoder2"})
    said.push_back(tlp_by_definition(weights, sample.views[0], decoder));
  const auto score = [&](const char* answer, std::size_t hidden) {
    file.header.options.back().second = answer;
    const Prediction prediction =
        make_network(file, evaluated, true)->predict(std::span(&sample, 1)).front();
    EXPECT_EQ(prediction.hidden.size(), hidden);
    return std::log(prediction.score);
  };
  EXPECT_NEAR(score("first", 8), said[0], 1e-4);
  EXPECT_NEAR(score("others", 16), (said[1] + said[2]) / 2, 1e-4);
  EXPECT_NEAR(score("all", 24), (said[0] + said[1] + said[2]) / 3, 1e-4);

  file.header.options[file.header.options.size() - 2].second = "4";
  EXPECT_NE(message_of(file).find("decoder3"), std::string::npos);
  file.header.options[file.header.options.size() - 2].second = "1";
  file.header.options.back().second = "others";
  EXPECT_NE(message_of(file).find("no decoder that answers"), std::string::npos);
}

TEST(Networks, AProgramsScoreDoesNotDependOnItsCompany) {
  Weights weights = tlp_weights();
  const auto network = make_network(tlp_file(weights), evaluated);
  std::vector<Sample> samples(40);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].views.push_back(random_view(weights, "tlp", 1 + i % 9, kColumns));
  const std::vector<Prediction> all = network->predict(samples);
  for (const std::size_t i : {0, 7, 39})
    EXPECT_EQ(network->predict(std::span(samples).subspan(i, 1))[0].score, all[i].score);
}

TEST(Networks, TenSetMlpIsItsDefinition) {
  constexpr int kStatement = 7, kFlags = 3, kAll = 11;
  Weights weights;
  weights.add("rows.normaliser.shift", {kAll}, 0);
  weights.add("rows.normaliser.scale", {kAll}, 2);
  weights.chain("encoder", {kAll, kWidth, kWidth});
  weights.chain("blocks", {kWidth, kWidth, kWidth});
  weights.linear("decoder", kWidth, 1);
  ScorerFile file;
  file.header.kind = "tenset-mlp";
  file.weights = weights.print();
  const auto network = make_network(file, evaluated, true);
  std::vector<Sample> samples(5);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].views = {random_view(weights, "statements", i, kStatement),
                        random_view(weights, "embedding", 1, kFlags)};
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Rows encoded;
    for (std::vector<double> row : rows_of(samples[i].views[0])) {
      row.insert(row.end(), samples[i].views[1].values.begin(), samples[i].views[1].values.end());
      row.resize(kAll);
      encoded.push_back(
          weights.apply_chain("encoder", weights.normalise("rows.normaliser", row), true));
    }
    const std::vector<double> x = weights.apply_blocks("blocks", sum_of(encoded, kWidth));
    EXPECT_NEAR(std::log(predictions[i].score), weights.apply("decoder", x)[0], 1e-4) << i;
    EXPECT_NEAR(weights.apply("decoder", hidden_of(predictions[i]))[0], weights.apply("decoder", x)[0],
                1e-4);
  }
}

TEST(Networks, WhatCannotBeUsedIsNamed) {
  Weights other_weights;
  other_weights.chain("fuse", {4, 2});
  ScorerFile file = tlp_file(tlp_weights());
  file.header.options[2].second = "2";
  EXPECT_NE(message_of(file).find("2 of attention"), std::string::npos);
  file = tlp_file(tlp_weights());
  file.header.options[1].second = "lstm";
  EXPECT_NE(message_of(file).find("lstm.weight_ih_l0"), std::string::npos);
  file = tlp_file(tlp_weights());
  file.header.options.pop_back();
  EXPECT_NE(message_of(file).find("'steps'"), std::string::npos);
  file = tlp_file(tlp_weights());
  file.header.options.emplace_back("numbers", "ln");
  EXPECT_NE(message_of(file).find("'numbers' = ln"), std::string::npos);
  file = tlp_file(other_weights);
  EXPECT_NE(message_of(file).find("encoder.0.weight"), std::string::npos);
  file.header.kind = "tlpp";
  EXPECT_NE(message_of(file).find("'tlpp'"), std::string::npos);
}

}  // namespace
}  // namespace hone::score
