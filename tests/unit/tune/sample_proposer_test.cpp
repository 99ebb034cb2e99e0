#include "tune/sample_proposer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/step_json.h"

namespace hone::tune {
namespace {

// A candidate that says which space it is of.
schedule::Steps steps_of(int space, std::int64_t number) {
  return schedule::steps_from_json(fmt::format(R"([["SP", {}, 0, 1024, [{}], 1]])", space, number + 1));
}
int space_of(const Candidate& candidate) {
  return std::get<schedule::Split>(candidate.steps.front()).stage;
}

// So many points, all alike.
class Flat final : public Candidates {
 public:
  Flat(int space, std::int64_t size) : space_(space), size_(size) {}

  std::optional<schedule::Steps> decode(const search::Point& point) const override {
    return steps_of(space_, point[0]);
  }
  std::optional<search::Point> encode(const schedule::Steps&) const override { return std::nullopt; }
  std::optional<search::Point> sample(Random& random) const override {
    return search::Point{random.below(size_)};
  }
  std::optional<search::Point> mutate(const search::Point&, Random&) const override {
    return std::nullopt;
  }
  std::optional<search::Point> cross(const search::Point&, const search::Point&,
                                     const search::FromFirst&, Random&) const override {
    return std::nullopt;
  }
  std::vector<search::Point> neighbours(const search::Point&) const override { return {}; }

 private:
  int space_;
  std::int64_t size_;
};

class Counting final : public Proposer {
 public:
  Proposals propose(int, std::size_t count, const IsKnown&) override {
    Proposals out;
    for (; count > 0; --count) out.candidates.push_back(candidate_of(steps_of(3, next_++)));
    return out;
  }
  void learn(std::span<const Trial>) override {}

 private:
  std::int64_t next_ = 0;
};

enum : int { kAnsor = 1, kOwn = 2, kEvolved = 3 };

SampleProposer proposer_of(std::int64_t ansor_size, std::uint64_t seed = 1) {
  return {std::make_unique<Flat>(kAnsor, ansor_size), std::make_unique<Flat>(kOwn, 1'000'000),
          std::make_unique<Counting>(), seed};
}

auto count(const Proposals& proposals, int space) {
  return std::ranges::count(proposals.candidates, space, space_of);
}

bool nothing_is_known(const std::string&) { return false; }

TEST(SampleProposer, MostAreEvenSamplesAndOneInEightIsEvolved) {
  SampleProposer proposer = proposer_of(1'000'000);
  const Proposals first = proposer.propose(0, 40, nothing_is_known);
  EXPECT_EQ(count(first, kAnsor), 35);
  EXPECT_EQ(count(first, kOwn), 5);
  const Proposals second = proposer.propose(1, 40, nothing_is_known);
  EXPECT_EQ(count(second, kAnsor), 30);
  EXPECT_EQ(count(second, kOwn), 5);
  EXPECT_EQ(count(second, kEvolved), 5);
}

TEST(SampleProposer, TheSharesHoldWhereASpaceIsSmall) {
  SampleProposer proposer = proposer_of(6);
  const Proposals proposals = proposer.propose(1, 40, nothing_is_known);
  EXPECT_EQ(count(proposals, kAnsor), 6);
  EXPECT_EQ(count(proposals, kOwn), 1);
  EXPECT_EQ(count(proposals, kEvolved), 1);
}

TEST(SampleProposer, IsExhaustedWhenAllOfAnsorsSpaceIsKnown) {
  SampleProposer proposer = proposer_of(6);
  const auto is_known = [](const std::string& key) { return key.find("\"SP\", 1,") != key.npos; };
  EXPECT_TRUE(proposer.propose(1, 40, is_known).candidates.empty());
}

TEST(SampleProposer, OneSeedGivesOneSet) {
  const auto keys = [](std::uint64_t seed) {
    std::string all;
    for (const Candidate& one : proposer_of(1000, seed).propose(2, 20, nothing_is_known).candidates)
      all += one.key;
    return all;
  };
  EXPECT_EQ(keys(1), keys(1));
  EXPECT_NE(keys(1), keys(2));
}

TEST(ListProposer, GivesItsProgramsInOrderAndOnce) {
  ListProposer proposer({steps_of(1, 5), steps_of(1, 7), steps_of(1, 5), steps_of(1, 9)});
  const auto is_known = [](const std::string& key) { return key == candidate_of(steps_of(1, 7)).key; };
  const Proposals first = proposer.propose(0, 1, is_known);
  ASSERT_EQ(first.candidates.size(), 1);
  EXPECT_EQ(first.candidates[0].key, candidate_of(steps_of(1, 5)).key);
  const auto knows_two = [&](const std::string& key) {
    return is_known(key) || key == first.candidates[0].key;
  };
  const Proposals rest = proposer.propose(1, 10, knows_two);
  ASSERT_EQ(rest.candidates.size(), 1);
  EXPECT_EQ(rest.candidates[0].key, candidate_of(steps_of(1, 9)).key);
}

}  // namespace
}  // namespace hone::tune
