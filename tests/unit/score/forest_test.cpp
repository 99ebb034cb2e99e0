#include "score/forest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "score/grow_forest.h"
#include "score/opinion.h"

namespace hone::score {
namespace {

constexpr std::size_t kColumns = 12;

Table random_table(std::size_t rows, std::uint64_t seed) {
  Random random(seed, 0);
  Table table{.values = {}, .columns = kColumns};
  for (std::size_t i = 0; i < rows * kColumns; ++i)
    table.values.push_back(static_cast<float>(random.unit()));
  return table;
}

// A step, a slope and a product, which no short tree can say exactly.
std::vector<float> labels_of(const Table& table) {
  std::vector<float> labels;
  for (std::size_t i = 0; i < table.values.size(); i += kColumns) {
    const float* const x = &table.values[i];
    labels.push_back((x[0] > 0.3F ? 2.F : 0.F) + x[1] + 3 * x[2] * x[3]);
  }
  return labels;
}

std::vector<NamedTensor> small_forest() {
  return print_forest({.columns = 2,
                       .depth = 2,
                       .splits = {{0.5F, 0}, {0.25F, 1}, {0.75F, 1}},
                       .leaves = {1, 2, 3, 4}});
}

std::string message_of(const std::vector<NamedTensor>& tensors) {
  try {
    parse_forest(tensors);
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Forest, RowsBelowAThresholdGoLeft) {
  const Forest forest = parse_forest(small_forest());
  EXPECT_EQ(forest.values(std::vector<float>{0.4F, 0.2F, 0.4F, 0.25F, 0.5F, 0.7F, 0.6F, 0.8F}),
            (std::vector<float>{1, 2, 3, 4}));
  EXPECT_TRUE(forest.values({}).empty());
}

// The library that grew them is the judge. Leaves are at all depths: the labels of some rows say all.
TEST(Forest, SaysWhatXgboostSays) {
  const Table learned = random_table(3000, 1), asked = random_table(101, 2);
  const TrainingTable training(learned);
  constexpr int kDepth = 7;
  Booster booster(training,
                  {.max_depth = kDepth, .tree_columns = 8, .bins = 256, .min_child_weight = 20});
  const std::vector<float> labels = labels_of(learned);
  for (int tree = 0; tree < 30; ++tree) {
    std::vector<float> gradient = booster.values(training), curvature(labels.size(), 1);
    for (std::size_t i = 0; i < labels.size(); ++i) gradient[i] -= labels[i];
    booster.boost(training, gradient, curvature);
  }
  const Forest forest = forest_of(booster, kColumns, kDepth);
  ASSERT_EQ(forest.n_trees(), 30U);
  const std::vector<float> expected = booster.values(asked), said = forest.values(asked.values);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(said[i], expected[i], 1e-5) << i;
}

TEST(Forest, LearnsAndComesBackFromItsTensors) {
  const Table learned = random_table(4000, 1), asked = random_table(500, 2);
  std::vector<double> errors;
  const auto forest = grow_forest(learned, labels_of(learned), {.trees = 60, .depth = 5},
                                  [&](int /*trees*/, double error) {
                                    errors.push_back(error);
                                    return true;
                                  });
  ASSERT_TRUE(forest.has_value());
  ASSERT_EQ(errors.size(), 60U);
  EXPECT_LT(errors.back(), 0.1);
  EXPECT_GT(errors.front(), 1);
  const std::vector<float> said = forest->values(asked.values), expected = labels_of(asked);
  double squares = 0;
  for (std::size_t i = 0; i < said.size(); ++i)
    squares += std::pow(double{said[i]} - expected[i], 2) / static_cast<double>(said.size());
  EXPECT_LT(std::sqrt(squares), 0.2);
  const Forest back = parse_forest(parse_tensors(print_tensors(print_forest(*forest))));
  EXPECT_EQ(back.values(asked.values), said);
}

TEST(Forest, WhatWeighsMoreIsLearnedMore) {
  const Table table = random_table(400, 1);
  std::vector<float> labels, weights;  // two programs in one place do not agree
  for (std::size_t i = 0; i < table.n_rows(); ++i) {
    labels.push_back(i % 2 == 0 ? 1 : 0);
    weights.push_back(i % 2 == 0 ? 9 : 1);
  }
  const auto go_on = [](int, double) { return true; };
  const auto forest = grow_forest(table, labels, {.trees = 40, .depth = 1}, go_on, weights);
  const std::vector<float> said = forest->values(table.values);
  EXPECT_NEAR(std::accumulate(said.begin(), said.end(), 0.0) / 400, 0.9, 0.05);
}

TEST(Forest, GrowingEndsWhenItIsAskedTo) {
  const Table table = random_table(100, 1);
  int heard = 0;
  const auto until_third = [&](int trees, double /*error*/) { return (heard = trees) < 3; };
  EXPECT_FALSE(grow_forest(table, labels_of(table), {.trees = 9, .depth = 2}, until_third));
  EXPECT_EQ(heard, 3);
}

TEST(Forest, OneSeedGivesOneForest) {
  const Table table = random_table(500, 1);
  const auto grown = [&](std::uint64_t seed) {
    const auto go_on = [](int, double) { return true; };
    return grow_forest(table, labels_of(table), {.trees = 5, .depth = 4, .seed = seed}, go_on)
        ->values(table.values);
  };
  EXPECT_EQ(grown(1), grown(1));
  EXPECT_NE(grown(1), grown(2));
}

TEST(Forest, DamagedTreesAreNamed) {
  std::vector<NamedTensor> tensors = small_forest();
  tensors[1].values[2] = 2;  // there are columns 0 and 1
  EXPECT_NE(message_of(tensors).find("a wrong column: 2"), std::string::npos);
  tensors = small_forest();
  tensors[0].values[1] = 1.5F;
  EXPECT_NE(message_of(tensors).find("a wrong depth"), std::string::npos);
  tensors = small_forest();
  tensors[0].values[1] = 3;
  EXPECT_NE(message_of(tensors).find("'trees.leaf' of shape [1, 4]"), std::string::npos);
  tensors = small_forest();
  tensors.erase(tensors.begin() + 2);
  EXPECT_NE(message_of(tensors).find("no tensor 'trees.threshold'"), std::string::npos);
  tensors = small_forest();
  tensors[3].values[0] = NAN;
  EXPECT_THROW(parse_tensors(print_tensors(tensors)), UserError);
}

TEST(Forest, AppendedTreesOfAnotherDepthSayWhatTheySaidAlone) {
  const Forest shallow{.columns = 2, .depth = 1, .splits = {{0.5F, 1}}, .leaves = {1, 2}};
  const Forest deep{
      .columns = 2, .depth = 2, .splits = {{0, 0}, {0.25F, 1}, {0.75F, 1}}, .leaves = {10, 20, 30, 40}};
  const std::vector<float> rows = {-1, 0, -1, 0.6F, 1, 0.6F, 1, 1};
  for (const bool is_shallow_first : {true, false}) {
    Forest both = is_shallow_first ? shallow : deep;
    append(both, is_shallow_first ? deep : shallow);
    EXPECT_EQ(both.n_trees(), 2U);
    EXPECT_EQ(both.values(rows), (std::vector<float>{11, 22, 32, 42}));
  }
}

TEST(Opinion, OneMoreMemberCountsByItsShare) {
  // Three members that say 1, 2 and 3, and one that counts as much as they do together.
  const Opinion<double> three{2, std::sqrt(2. / 3)};
  const auto joined = join(three, 4., 0.5);
  EXPECT_DOUBLE_EQ(joined.log_latency, 3);
  const double variance = (4. + 1 + 0) / 6 + 1. / 2;  // around 3, by weight
  EXPECT_DOUBLE_EQ(joined.spread, std::sqrt(variance));
  EXPECT_DOUBLE_EQ(join(three, 4., 0.).spread, three.spread);
  EXPECT_DOUBLE_EQ(join(three, 4., 1.).log_latency, 4);
  EXPECT_LT(join(three, 2.5, 0.5).spread, joined.spread) << "who agrees leaves less doubt";
}

}  // namespace
}  // namespace hone::score
