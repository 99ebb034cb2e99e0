// hone's own model against an evaluation of its definition.
#include <gtest/gtest.h>

#include "tests/unit/score/hone_by_hand.h"

namespace hone::score {
namespace {

constexpr double kAnyReach = 1e30;

std::vector<double> known(const Weights& weights, const std::string& view,
                          const std::vector<double>& row, double reach) {
  std::vector<double> x = weights.normalise(view + "_normaliser", row);
  for (double& value : x) value = std::clamp(value, -reach, reach);
  return x;
}

// What a member says: the log of latency / best, and the logit of being valid.
std::vector<double> member_by_definition(const Weights& weights, const std::string& member,
                                         const Sample& sample, double reach = kAnyReach) {
  std::vector<double> parts = known(weights, "context", rows_of(sample.views[2])[0], reach);
  for (const double x : known(weights, "summary", rows_of(sample.views[3])[0], reach))
    parts.push_back(x);
  for (const std::size_t view : {0, 1}) {
    const std::string& name = sample.views[view].name;
    std::vector<double> sum(kWidth), largest(kWidth);  // after ReLU nothing is below 0
    for (const std::vector<double>& row : rows_of(sample.views[view])) {
      const std::vector<double> x =
          weights.apply_chain(member + name + ".encoder", known(weights, name, row, reach), true);
      for (int i = 0; i < kWidth; ++i) {
        sum[i] += x[i] / 10;
        largest[i] = std::max(largest[i], x[i]);
      }
    }
    parts.insert(parts.end(), sum.begin(), sum.end());
    parts.insert(parts.end(), largest.begin(), largest.end());
  }
  std::vector<double> fused = weights.apply_chain(member + "fuse", parts, false);
  if (sample.views.size() > 4) {
    std::vector<double> machine = weights.normalise("machine_normaliser", rows_of(sample.views[4])[0]);
    for (double& x : machine) x = std::clamp(x, -2.0, 2.0);
    const std::vector<double> change = weights.apply_chain(member + "machine", machine, false);
    for (int i = 0; i < kFused; ++i) fused[i] = fused[i] * (1 + change[i]) + change[kFused + i];
  }
  Weights::relu(fused);
  return weights.apply(member + "heads", weights.apply_blocks(member + "blocks", fused));
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

TEST(HoneNetwork, InputsBeyondItsReachCountAsThatFar) {
  constexpr double kReach = 0.75;
  Weights weights = hone_weights();
  ScorerFile file = hone_file(weights.print());
  const std::vector<Sample> samples = hone_samples(weights);
  const auto without = make_network(file, evaluated)->predict(samples);
  file.header.options.emplace_back("reach", std::to_string(kReach));
  const auto within = make_network(file, evaluated)->predict(samples);
  double moved = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double sum = 0;
    for (int m = 0; m < kMembers; ++m)
      sum += member_by_definition(weights, "member" + std::to_string(m) + ".", samples[i], kReach)[0];
    const double spread = within[i].spread / within[i].score;
    EXPECT_NEAR(std::log(within[i].score), -sum / kMembers - 0.5 * spread, 1e-4) << i;
    moved += std::abs(std::log(within[i].score / without[i].score));
  }
  EXPECT_GT(moved, 0.01);
}

TEST(HoneNetwork, AMachineStretchesAndShiftsWhatTheViewsComeTo) {
  Weights weights = hone_weights(true);
  const auto network = make_network(hone_file(weights.print()), evaluated);
  EXPECT_EQ(network->views().back(), "machine");
  std::vector<Sample> samples = hone_samples(weights, true);
  const std::vector<Prediction> predictions = network->predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double sum = 0, squares = 0;
    for (int m = 0; m < kMembers; ++m) {
      const auto said = member_by_definition(weights, "member" + std::to_string(m) + ".", samples[i]);
      sum += said[0] / kMembers;
      squares += said[0] * said[0] / kMembers;
    }
    const double spread = std::sqrt(squares - sum * sum);
    EXPECT_NEAR(std::log(predictions[i].score), -sum - 0.5 * spread, 1e-4) << i;
  }
  // However far a machine is from those of training, it counts as far and not more.
  for (Sample& sample : samples)
    for (float& value : sample.views[4].values) value = 1e6F;
  const double far = network->predict(samples)[0].score;
  for (Sample& sample : samples)
    for (float& value : sample.views[4].values) value = 1e9F;
  EXPECT_EQ(network->predict(samples)[0].score, far);
  // Trees see the machine behind the other whole views.
  Forest forest{.columns = 4 + 6, .depth = 1, .splits = {{0, 4}}, .leaves = {0.25F, 3}};
  EXPECT_NE(message_of(hone_file(with_trees(weights, forest))).find("10 columns of 13"),
            std::string::npos);
  forest.columns = 13;
  EXPECT_EQ(message_of(hone_file(with_trees(weights, forest))), "nothing");
}

// One tree that looks at column 0 of `summary`, behind the 4 of `context`.
Forest small_forest(std::size_t columns) {
  return {.columns = columns, .depth = 1, .splits = {{0, 4}}, .leaves = {0.25F, 3}};
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
