// hone's own model against an evaluation of its definition.
#include <gtest/gtest.h>

#include "score/forest.h"
#include "tests/unit/score/network_by_hand.h"

namespace hone::score {
namespace {

constexpr int kWidth = 16;
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

TEST(HoneNetwork, HonesOwnIsItsDefinition) {
  Weights weights = hone_weights();
  const auto network = make_network(hone_file(weights.print()), evaluated, true);
  const std::vector<Sample> samples = hone_samples(weights);
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double sum = 0, squares = 0, valid = 0;
    for (int m = 0; m < kMembers; ++m) {
      const auto said = member_by_definition(weights, "member" + std::to_string(m) + ".", samples[i]);
      sum += said[0] / kMembers;
      squares += said[0] * said[0] / kMembers;
      valid += 1 / (1 + std::exp(-said[1])) / kMembers;
      const std::vector<double> hidden = hidden_of(predictions[i]);
      const auto from = hidden.begin() + m * kFused;
      EXPECT_NEAR(weights.apply("member" + std::to_string(m) + ".heads", {from, from + kFused})[0],
                  said[0], 1e-4);
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

TEST(HoneNetwork, TreesVoteBesideTheMembers) {
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

TEST(HoneNetwork, TreesThatDoNotFitAreRefused) {
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

}  // namespace
}  // namespace hone::score
