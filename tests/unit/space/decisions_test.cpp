#include "space/decisions.h"

#include <gtest/gtest.h>

#include "machines.h"
#include "space/space.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

Space matmul_space() {
  const auto task = std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=64,k=64+relu"));
  return ansor_space(task, sketches(task, four_cores()), four_cores());
}

TEST(Decisions, PlacesAreReadBack) {
  for (const Place& place :
       {Place{Place::Kind::AsSketched}, Place{Place::Kind::Root}, Place{Place::Kind::Inline},
        Place{Place::Kind::At, 0, 0}, Place{Place::Kind::At, 7, 21}}) {
    EXPECT_EQ(place_from(to_entry(place)), place);
  }
}

TEST(Decisions, TheirHashDependsOnValueAndPosition) {
  EXPECT_EQ(hash({1, 2, 3}), hash({1, 2, 3}));
  EXPECT_NE(hash({1, 2, 3}), hash({1, 3, 2}));
  EXPECT_NE(hash({1, 2}), hash({1, 2, 0}));
}

TEST(Decisions, ReadAsWords) {
  const Space space = matmul_space();
  Random random(1, 0);
  std::optional<Decisions> decisions = space.sample(random);
  while (decisions->front() != 0) decisions = space.sample(random);
  EXPECT_EQ(space.print(*decisions),
            "sketch 0: C.i=[1,1,16] C.j=[1,8,8] C.k=[8]; C unroll 0 vector 1; relu parallel 2");
}

TEST(Decisions, WhatFitsNothingDecodesToNothing) {
  const Space space = matmul_space();
  Random random(1, 0);
  const Decisions good = *space.sample(random);
  ASSERT_TRUE(space.decode(good));
  EXPECT_FALSE(space.decode({}));
  EXPECT_FALSE(space.decode({99}));
  EXPECT_FALSE(space.decode({-1}));
  Decisions longer = good;
  longer.push_back(1);
  EXPECT_FALSE(space.decode(longer));
  // Whatever the entries are, the answer is steps or nothing.
  int n_refused = 0;
  for (std::size_t e = 1; e < good.size(); ++e) {
    for (const std::int64_t value : {-5L, -2L, 0L, 3L, 999L, 5001L, 1L << 40}) {
      Decisions odd = good;
      odd[e] = value;
      n_refused += space.decode(odd) ? 0 : 1;
    }
  }
  EXPECT_GT(n_refused, static_cast<int>(good.size()));
}

TEST(Decisions, StepsOfAnotherStructureAreNotEncoded) {
  const Space space = matmul_space();
  EXPECT_FALSE(space.encode({schedule::ComputeRoot{2}, schedule::ComputeRoot{2}}));
  Random random(1, 0);
  schedule::Steps steps = *space.decode(*space.sample(random));
  steps.push_back(schedule::Annotate{2, 0, ir::LoopKind::Unrolled});
  EXPECT_FALSE(space.encode(steps));
}

// Two different candidates of the first sketch: relu follows the tiles of C.
std::pair<Decisions, Decisions> parents(const Space& space) {
  Random random(1, 0);
  std::vector<Decisions> found;
  while (found.size() < 2) {
    const Decisions sample = *space.sample(random);
    if (sample.front() == 0 && (found.empty() || found.front().back() != sample.back())) {
      found.push_back(sample);
    }
  }
  return {found[0], found[1]};
}

TEST(Decisions, CrossoverTakesEachStageFromOneParent) {
  const Space space = matmul_space();
  const auto [a, b] = parents(space);
  const int relu = 3;
  Random random(2, 0);
  const auto child = space.cross(a, b, [&](int node) { return node != relu; }, random);
  ASSERT_TRUE(child);
  Decisions expected = a;
  std::copy(b.end() - 2, b.end(), expected.end() - 2);  // loops in parallel and in vectors
  EXPECT_EQ(*child, expected);
}

TEST(Decisions, CrossoverThatWouldCopyAParentMixesDecisionByDecision) {
  const Space space = matmul_space();
  const auto [a, b] = parents(space);
  Random random(2, 0);
  int n_new = 0;
  for (int i = 0; i < 20; ++i) {
    const auto child = space.cross(a, b, [](int) { return true; }, random);
    if (child && *child != a && *child != b) ++n_new;
  }
  EXPECT_GT(n_new, 10);
}

TEST(Decisions, ParentsOfDifferentFamiliesHaveNoChild) {
  const Space space = matmul_space();
  Random random(1, 0);
  const Decisions a = *space.sample(random);
  Decisions b = *space.sample(random);
  while (b.front() == a.front()) b = *space.sample(random);
  EXPECT_FALSE(space.cross(a, b, [](int) { return true; }, random));
}

}  // namespace
}  // namespace hone::space
