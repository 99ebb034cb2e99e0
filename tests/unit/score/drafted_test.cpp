#include "score/drafted.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

namespace hone::score {
namespace {

// Says one number of a sample, and counts what it is asked.
class Column final : public Predictor {
 public:
  explicit Column(std::size_t column) : column_(column) {}
  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> out;
    for (const Sample& sample : samples) {
      asked += 1;
      if (sample.n_rows() == 0) {
        out.push_back({.score = 0, .valid = 0});
      } else {
        out.push_back({.score = sample.values[column_], .spread = 1});
        if (tells_parts) out.back().parts = {static_cast<float>(column_)};
      }
    }
    return out;
  }
  mutable std::size_t asked = 0;
  bool tells_parts = false;

 private:
  std::size_t column_;
};

constexpr std::size_t kMany = 400;

// The draft likes them the better the later they come, the model the other way round.
std::vector<Sample> opposed(std::atomic<int>& views_made) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < kMany; ++i) {
    const auto number = static_cast<float>(i + 1);
    samples.push_back({{number, 2 * kMany - number}, {0}});
    samples.back().later = std::make_shared<LaterViews>([&views_made] {
      ++views_made;
      return std::vector<View>{};
    });
  }
  return samples;
}

std::vector<std::size_t> order_of(const std::vector<Prediction>& predictions) {
  std::vector<std::size_t> order(predictions.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return predictions[i].score; });
  return order;
}

TEST(Drafted, TheModelRanksTheBestOfTheDraftAndTheDraftTheOthersBelowThem) {
  std::atomic<int> views_made = 0;
  const std::vector<Sample> samples = opposed(views_made);
  const Column draft(0), model(1);
  const auto order = order_of(predict_best(model, draft, samples, {.share = 0.25, .threads = 2}));
  EXPECT_EQ(model.asked, kMany / 4);
  EXPECT_EQ(views_made, kMany / 4);
  for (std::size_t i = 0; i < kMany / 4; ++i) EXPECT_EQ(order[i], kMany - kMany / 4 + i);
  for (std::size_t i = kMany / 4; i < kMany; ++i) EXPECT_EQ(order[i], kMany - 1 - i);
}

TEST(Drafted, WhatTheModelSaysIsPassedOnAsItIs) {
  std::atomic<int> views_made = 0;
  const std::vector<Sample> samples = opposed(views_made);
  const auto said = predict_best(Column(1), Column(0), samples, {.share = 0.25});
  EXPECT_EQ(said.back().score, samples.back().values[1]);
  EXPECT_EQ(said.back().spread, 1);
  EXPECT_EQ(said.front().spread, 0);  // nobody looked, so nobody hopes
}

TEST(Drafted, PartsAreTheDraftsWhereTheModelTellsNone) {
  std::atomic<int> views_made = 0;
  const std::vector<Sample> samples = opposed(views_made);
  Column draft(0), model(1);
  draft.tells_parts = true;
  for (const Prediction& said : predict_best(model, draft, samples, {.share = 0.25}))
    EXPECT_EQ(said.parts, std::vector<float>{0});
  model.tells_parts = true;
  EXPECT_EQ(predict_best(model, draft, samples, {.share = 0.25}).back().parts, std::vector<float>{1});
}

TEST(Drafted, FewAreAllShownButThoseThatCannotBeBuilt) {
  std::atomic<int> views_made = 0;
  std::vector<Sample> samples = opposed(views_made);
  samples.resize(8);
  samples[3] = {};
  const auto said = Drafted(std::make_shared<Column>(1), std::make_shared<Column>(0), {.share = 0.1})
                        .predict(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(said[i].valid, i == 3 ? 0 : 1);
  EXPECT_EQ(views_made, 7);
  EXPECT_EQ(said[7].score, samples[7].values[1]);
}

TEST(Drafted, NothingIsShownWhereNothingCanBeBuilt) {
  const std::vector<Sample> samples(3);
  const Column model(1);
  EXPECT_EQ(predict_best(model, Column(0), samples, {})[0].valid, 0);
  EXPECT_EQ(model.asked, 0U);
}

TEST(Drafted, ScoresBelowZeroAreCutOffBelowThem) {
  std::atomic<int> views_made = 0;
  std::vector<Sample> samples = opposed(views_made);
  for (Sample& sample : samples) sample.values[1] *= -1;
  const auto order = order_of(predict_best(Column(1), Column(0), samples, {.share = 0.25}));
  for (std::size_t i = kMany / 4; i < kMany; ++i) EXPECT_EQ(order[i], kMany - 1 - i);
}

}  // namespace
}  // namespace hone::score
