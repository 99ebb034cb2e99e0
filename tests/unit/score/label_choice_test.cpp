#include "score/label_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "base/random.h"

namespace hone::score {
namespace {

using Chosen = std::vector<std::size_t>;

// A crowd of most programs, and two smaller ones of another kind far from it.
std::vector<Prospect> three_crowds() {
  std::vector<Prospect> out;
  Random random(1, 0);
  const auto add = [&](int n, float x, float y) {
    for (int i = 0; i < n; ++i)
      out.push_back(
          {{x + static_cast<float>(random.unit()), y + static_cast<float>(random.unit()), 7}});
  };
  add(80, 0, 0);
  add(12, 20, 0);
  add(8, 0, 20);
  return out;
}

std::set<int> crowds_of(const std::vector<Prospect>& prospects, const Chosen& chosen) {
  std::set<int> out;
  for (const std::size_t i : chosen)
    out.insert(prospects[i].place[0] > 10 ? 1 : prospects[i].place[1] > 10 ? 2 : 0);
  return out;
}

// How far a prospect is from the nearest that was chosen, on the mean.
double mean_distance(const std::vector<Prospect>& prospects, const Chosen& chosen) {
  double sum = 0;
  for (const Prospect& prospect : prospects) {
    double nearest = 1e9;
    for (const std::size_t i : chosen)
      nearest = std::min(nearest, double{std::hypot(prospect.place[0] - prospects[i].place[0],
                                                    prospect.place[1] - prospects[i].place[1])});
    sum += nearest;
  }
  return sum / static_cast<double>(prospects.size());
}

TEST(LabelChoice, CoversEveryCrowdBeforeAnyIsTakenTwice) {
  const std::vector<Prospect> prospects = three_crowds();
  EXPECT_EQ(crowds_of(prospects, cover(prospects, 3)), (std::set{0, 1, 2}));
}

TEST(LabelChoice, IsNearerToAllThanAnyOfManyDraws) {
  const std::vector<Prospect> prospects = three_crowds();
  const double covered = mean_distance(prospects, cover(prospects, 6));
  double drawn = 0, best_drawn = 1e9;
  constexpr int kDraws = 50;
  for (int i = 0; i < kDraws; ++i) {
    const double distance = mean_distance(
        prospects, choose_randomly(prospects.size(), 6, 1, static_cast<std::uint64_t>(i)));
    drawn += distance / kDraws;
    best_drawn = std::min(best_drawn, distance);
  }
  EXPECT_LT(covered, best_drawn);
  EXPECT_LT(covered, drawn / 3);
}

TEST(LabelChoice, TakesWhatWeighsMoreFirst) {
  std::vector<Prospect> prospects = three_crowds();
  for (std::size_t i = 92; i < 100; ++i) prospects[i].weight = 100;
  EXPECT_EQ(crowds_of(prospects, cover(prospects, 1)), (std::set{2}));
}

TEST(LabelChoice, TakesWhatIsWantedFirstAndNothingTwice) {
  const std::vector<Prospect> prospects = three_crowds();
  const Chosen wanted = {5, 99};
  Chosen chosen = cover(prospects, 1000, wanted);
  EXPECT_EQ(Chosen(chosen.begin(), chosen.begin() + 2), wanted);
  EXPECT_EQ(chosen.size(), prospects.size());
  EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), prospects.size());
  EXPECT_EQ(cover(prospects, 1, wanted), (Chosen{5}));
  EXPECT_TRUE(cover({}, 3).empty());
}

TEST(LabelChoice, ProgramsThatAreAllAlikeCanBeChosen) {
  const std::vector<Prospect> prospects(4, Prospect{{1, 2}});
  EXPECT_EQ(cover(prospects, 3).size(), 3U);
}

// Programs on a ring: the neighbourhoods of all are alike. Number 0 is believed to be the fastest.
std::vector<Prediction> on_a_ring(const std::map<int, double>& scores,
                                  const std::map<int, double>& doubts) {
  const auto one_of = [](const std::map<int, double>& values, int i, double otherwise) {
    return values.contains(i) ? values.at(i) : otherwise;
  };
  std::vector<Prediction> out;
  for (int i = 0; i < 16; ++i) {
    const double angle = i * std::numbers::pi / 8, score = one_of(scores, i, i == 0 ? 1 : 0.2);
    out.push_back(
        {.score = score,
         .spread = score * one_of(doubts, i, 0.1),
         .hidden = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))}});
  }
  return out;
}

TEST(LabelChoice, BeginsWithTheOneBelievedToBeTheFastest) {
  std::vector<Prediction> programs = on_a_ring({{15, 5}}, {});
  EXPECT_EQ(choose_actively(programs, 4).front(), 15U);
  programs.back().valid = 0.01;  // it will hardly run
  EXPECT_EQ(choose_actively(programs, 4).front(), 0U);
}

TEST(LabelChoice, GoesWhereTheModelIsUnsureOrExpectsFastPrograms) {
  EXPECT_EQ(choose_actively(on_a_ring({}, {{11, 1}, {12, 1}, {13, 1}}), 2).back(), 12U);
  EXPECT_EQ(choose_actively(on_a_ring({{3, 0.9}, {4, 0.9}, {5, 0.9}}, {}), 2).back(), 5U);
}

TEST(LabelChoice, DrawsAreOfTheSeedAndNeverTwice) {
  const Chosen drawn = choose_randomly(100, 30, 7, 1);
  EXPECT_EQ(drawn, choose_randomly(100, 30, 7, 1));
  EXPECT_NE(drawn, choose_randomly(100, 30, 8, 1));
  EXPECT_NE(drawn, choose_randomly(100, 30, 7, 2));
  EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), 30U);
  EXPECT_LT(std::ranges::max(drawn), 100U);
  EXPECT_EQ(choose_randomly(3, 9, 7, 1).size(), 3U);
}

TEST(LabelChoice, SharesAreEvenWhereThereIsRoom) {
  EXPECT_EQ(even_shares(10, std::vector<std::size_t>{9, 9, 9}), (Chosen{4, 3, 3}));
  EXPECT_EQ(even_shares(10, std::vector<std::size_t>{1, 9, 9}), (Chosen{1, 5, 4}));
  EXPECT_EQ(even_shares(10, std::vector<std::size_t>{1, 2}), (Chosen{1, 2}));
}

}  // namespace
}  // namespace hone::score
