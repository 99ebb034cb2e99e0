// Networks against evaluations of their definitions that share no code with them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "base/error.h"
#include "base/random.h"
#include "graph/evaluate.h"
#include "score/forest.h"
#include "score/network.h"
#include "score/tensors.h"

namespace hone::score {
namespace {

using Rows = std::vector<std::vector<double>>;

// Runs graphs by their definition, a portion of rows at a time.
class Evaluated final : public DenseFunction {
 public:
  explicit Evaluated(graph::Graph graph) : graph_(std::move(graph)) {}

  void run(std::size_t n, std::span<const std::span<const float>> inputs,
           std::span<const std::span<float>> outputs) const override {
    const auto at_once = static_cast<std::size_t>(type(graph_.inputs[0]).shape[0]);
    for (std::size_t begin = 0; begin < n; begin += at_once) {
      const std::size_t count = std::min(at_once, n - begin);
      std::vector<model::Tensor> in;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        in.push_back(model::Tensor::zeros(ir::Scalar::F32, type(graph_.inputs[i]).shape));
        std::memcpy(in.back().writable().data(), &inputs[i][begin * row_size(graph_.inputs[i])],
                    count * row_size(graph_.inputs[i]) * sizeof(float));
      }
      const std::vector<model::Tensor> out = graph::evaluate(graph_, in);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        std::memcpy(&outputs[i][begin * row_size(graph_.outputs[i])], out[i].bytes().data(),
                    count * row_size(graph_.outputs[i]) * sizeof(float));
    }
  }

 private:
  const graph::ValueType& type(graph::ValueId id) const {
    return graph_.values[static_cast<std::size_t>(id)].type;
  }
  std::size_t row_size(graph::ValueId id) const {
    return static_cast<std::size_t>(model::elements(type(id).shape) / type(id).shape[0]);
  }
  graph::Graph graph_;
};

std::unique_ptr<DenseFunction> evaluated(graph::Graph graph) {
  return std::make_unique<Evaluated>(std::move(graph));
}

// Named weights with random values, and the layers made of them in doubles.
class Weights {
 public:
  void linear(const std::string& name, int from, int to) {
    add(name + ".weight", {to, from}, 1 / std::sqrt(from));
    add(name + ".bias", {to}, 0.1);
  }
  void chain(const std::string& name, const std::vector<int>& widths) {
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
      linear(name + "." + std::to_string(i), widths[i], widths[i + 1]);
  }
  void add(const std::string& name, std::vector<std::int64_t> shape, double range) {
    NamedTensor tensor{name, std::move(shape), {}};
    std::int64_t n = 1;
    for (const std::int64_t extent : tensor.shape) n *= extent;
    for (std::int64_t i = 0; i < n; ++i) tensor.values.push_back(static_cast<float>(number(range)));
    places_[name] = tensors_.size();
    tensors_.push_back(std::move(tensor));
  }
  double number(double range) { return (2 * random_.unit() - 1) * range; }

  std::vector<double> apply(const std::string& name, const std::vector<double>& x) const {
    const NamedTensor& weight = at(name + ".weight");
    const NamedTensor& bias = at(name + ".bias");
    std::vector<double> y(bias.values.begin(), bias.values.end());
    for (std::size_t i = 0; i < y.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j) y[i] += weight.values[i * x.size() + j] * x[j];
    return y;
  }
  std::vector<double> apply_chain(const std::string& name, std::vector<double> x,
                                  bool relu_last) const {
    for (int i = 0; places_.contains(name + "." + std::to_string(i) + ".weight"); ++i) {
      x = apply(name + "." + std::to_string(i), x);
      const bool is_last = !places_.contains(name + "." + std::to_string(i + 1) + ".weight");
      if (!is_last || relu_last) relu(x);
    }
    return x;
  }
  std::vector<double> apply_blocks(const std::string& name, std::vector<double> x) const {
    for (int i = 0; places_.contains(name + "." + std::to_string(i) + ".weight"); ++i) {
      std::vector<double> y = apply(name + "." + std::to_string(i), x);
      relu(y);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += y[j];
    }
    return x;
  }
  std::vector<double> normalise(const std::string& name, std::vector<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = (x[i] - at(name + ".shift").values[i]) * at(name + ".scale").values[i];
    return x;
  }
  static void relu(std::vector<double>& x) {
    for (double& value : x) value = std::max(0.0, value);
  }

  std::string print() const { return print_tensors(tensors_); }

 private:
  const NamedTensor& at(const std::string& name) const { return tensors_[places_.at(name)]; }

  Random random_{7, 0};
  std::vector<NamedTensor> tensors_;
  std::map<std::string, std::size_t> places_;
};

View random_view(Weights& weights, const std::string& name, std::size_t rows, std::size_t columns) {
  View view{name, columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i)
    view.values.push_back(static_cast<float>(weights.number(1)));
  return view;
}

Rows rows_of(const View& view) {
  Rows rows;
  for (std::size_t i = 0; i < view.n_rows(); ++i)
    rows.emplace_back(view.values.begin() + static_cast<std::ptrdiff_t>(i * view.columns),
                      view.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * view.columns));
  return rows;
}

std::vector<double> sum_of(const Rows& rows, std::size_t width) {
  std::vector<double> sum(width);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < width; ++i) sum[i] += row[i];
  return sum;
}

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
  file.header.options = {{"backend", "attention"}, {"layers", "1"}, {"heads", "4"}, {"steps", "10"}};
  file.weights = weights.print();
  return file;
}

// As the paper has it: all places are tokens, those of the padding too.
double tlp_by_definition(const Weights& weights, const View& view) {
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
    score += weights.apply_chain("decoder", weights.apply_blocks("blocks", y), false)[0];
  }
  return score;
}

TEST(Networks, TlpIsItsDefinition) {
  Weights weights = tlp_weights();
  const auto network = make_network(tlp_file(weights), evaluated);
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
  }
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
  const auto network = make_network(file, evaluated);
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
  }
}

constexpr int kMembers = 3, kFused = 12;
const std::map<std::string, int> kHoneColumns = {
    {"statements", 7}, {"primitives", 5}, {"context", 4}, {"summary", 6}};

Weights hone_weights() {
  Weights weights;
  for (const auto& [view, columns] : kHoneColumns) {
    weights.add(view + "_normaliser.shift", {columns}, 1);
    weights.add(view + "_normaliser.scale", {columns}, 2);
  }
  for (int i = 0; i < kMembers; ++i) {
    const std::string member = "member" + std::to_string(i) + ".";
    weights.chain(member + "statements.encoder", {7, kWidth, kWidth});
    weights.chain(member + "primitives.encoder", {5, kWidth, kWidth});
    weights.chain(member + "fuse", {4 + 6 + 4 * kWidth, kFused});
    weights.chain(member + "blocks", {kFused, kFused});
    weights.linear(member + "heads", kFused, 2);
  }
  return weights;
}

// What a member says: the log of latency / best, and the logit of being valid.
std::vector<double> member_by_definition(const Weights& weights, const std::string& member,
                                         const Sample& sample) {
  std::vector<double> parts = weights.normalise("context_normaliser", rows_of(sample.views[2])[0]);
  for (const double x : weights.normalise("summary_normaliser", rows_of(sample.views[3])[0]))
    parts.push_back(x);
  for (const std::size_t view : {0, 1}) {
    const std::string& name = sample.views[view].name;
    std::vector<double> sum(kWidth), largest(kWidth);  // after ReLU nothing is below 0
    for (const std::vector<double>& row : rows_of(sample.views[view])) {
      const std::vector<double> x = weights.apply_chain(
          member + name + ".encoder", weights.normalise(name + "_normaliser", row), true);
      for (int i = 0; i < kWidth; ++i) {
        sum[i] += x[i] / 10;
        largest[i] = std::max(largest[i], x[i]);
      }
    }
    parts.insert(parts.end(), sum.begin(), sum.end());
    parts.insert(parts.end(), largest.begin(), largest.end());
  }
  const std::vector<double> fused = weights.apply_chain(member + "fuse", parts, true);
  return weights.apply(member + "heads", weights.apply_blocks(member + "blocks", fused));
}

ScorerFile hone_file(const std::string& weights) {
  ScorerFile file;
  file.header.kind = "hone";
  file.header.options = {{"members", "3"}, {"heads", "0"}, {"caution", "0.5"}, {"tree_share", "0.4"}};
  file.weights = weights;
  return file;
}

std::vector<Sample> hone_samples(Weights& weights) {
  std::vector<Sample> samples(6);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].views = {random_view(weights, "statements", 1 + i % 3, 7),
                        random_view(weights, "primitives", 2 + i, 5),
                        random_view(weights, "context", 1, 4), random_view(weights, "summary", 1, 6)};
  return samples;
}

TEST(Networks, HonesOwnIsItsDefinition) {
  Weights weights = hone_weights();
  const auto network = make_network(hone_file(weights.print()), evaluated);
  const std::vector<Sample> samples = hone_samples(weights);
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double sum = 0, squares = 0, valid = 0;
    for (int m = 0; m < kMembers; ++m) {
      const auto said = member_by_definition(weights, "member" + std::to_string(m) + ".", samples[i]);
      sum += said[0] / kMembers;
      squares += said[0] * said[0] / kMembers;
      valid += 1 / (1 + std::exp(-said[1])) / kMembers;
    }
    const double spread = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(std::log(predictions[i].score), -sum - 0.5 * spread, 1e-4) << i;
    EXPECT_NEAR(predictions[i].spread / predictions[i].score, spread, 1e-4) << i;
    EXPECT_NEAR(predictions[i].valid, valid, 1e-5) << i;
  }
}

// One tree that looks at column 0 of `summary`, behind the 4 of `context`.
Forest small_forest(std::size_t columns) {
  return {.columns = columns, .depth = 1, .splits = {{0, 4}}, .leaves = {0.25F, 3}};
}

std::string with_trees(const Weights& weights, const Forest& forest) {
  std::vector<NamedTensor> tensors = parse_tensors(weights.print());
  for (NamedTensor& tensor : print_forest(forest)) tensors.push_back(std::move(tensor));
  return print_tensors(tensors);
}

TEST(Networks, TreesVoteBesideTheMembers) {
  Weights weights = hone_weights();
  const std::vector<Sample> samples = hone_samples(weights);
  const auto alone = make_network(hone_file(weights.print()), evaluated)->predict(samples);
  const auto joined =
      make_network(hone_file(with_trees(weights, small_forest(10))), evaluated)->predict(samples);
  constexpr double kShare = 0.4, kCaution = 0.5;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double spread_before = alone[i].spread / alone[i].score;
    const double mean_before = -std::log(alone[i].score) - kCaution * spread_before;
    const double trees = samples[i].views[3].values[0] < 0 ? 0.25 : 3;
    const double mean = (1 - kShare) * mean_before + kShare * trees;
    const double variance =
        (1 - kShare) * (spread_before * spread_before + std::pow(mean_before - mean, 2)) +
        kShare * std::pow(trees - mean, 2);
    EXPECT_NEAR(-std::log(joined[i].score), mean + kCaution * std::sqrt(variance), 1e-6) << i;
    EXPECT_NEAR(joined[i].spread / joined[i].score, std::sqrt(variance), 1e-6) << i;
    EXPECT_EQ(joined[i].valid, alone[i].valid) << i;
  }
}

std::string message_of(const ScorerFile& file) {
  try {
    make_network(file, evaluated);
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Networks, TreesThatDoNotFitAreRefused) {
  const Weights weights = hone_weights();
  EXPECT_NE(message_of(hone_file(with_trees(weights, small_forest(9)))).find("9 columns of 10"),
            std::string::npos);
  ScorerFile file = hone_file(with_trees(weights, small_forest(10)));
  file.header.options.back().second = "1.5";
  EXPECT_NE(message_of(file).find("a share of 1.5"), std::string::npos);
  file.header.options.back().second = "nan";
  EXPECT_NE(message_of(file).find("'tree_share' = nan"), std::string::npos);
  file.header.options.pop_back();
  EXPECT_NE(message_of(file).find("'tree_share'"), std::string::npos);
  Forest forest = small_forest(10);
  forest.leaves[1] = NAN;
  EXPECT_NE(message_of(hone_file(with_trees(weights, forest))).find("'trees.leaf'"), std::string::npos);
}

TEST(Networks, WhatCannotBeUsedIsNamed) {
  ScorerFile file = tlp_file(tlp_weights());
  file.header.options[0].second = "lstm";
  EXPECT_NE(message_of(file).find("lstm"), std::string::npos);
  file = tlp_file(tlp_weights());
  file.header.options.pop_back();
  EXPECT_NE(message_of(file).find("'steps'"), std::string::npos);
  file = tlp_file(hone_weights());
  EXPECT_NE(message_of(file).find("encoder.0.weight"), std::string::npos);
  file.header.kind = "tlpp";
  EXPECT_NE(message_of(file).find("'tlpp'"), std::string::npos);
}

}  // namespace
}  // namespace hone::score
