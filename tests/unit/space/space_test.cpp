// Random candidates, mutations and crossovers: they replay and are their own encoding.
#include "space/space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "machines.h"
#include "schedule/original_ops.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

using TaskPointer = std::shared_ptr<const task::Task>;

enum class Kind { Cpu, Gpu, Hone };  // Ansor's space of two machines, and hone's own
struct Case {
  const char* op;
  Kind kind;
};

Space space_of(const TaskPointer& task, Kind kind) {
  if (kind == Kind::Hone) {
    const target::Target target = target::parse("avx2");
    return hone_space(task, sketches(task, hardware_of(target)), target);
  }
  const Hardware hardware = kind == Kind::Gpu ? volta() : four_cores();
  return ansor_space(task, sketches(task, hardware), hardware);
}

class RandomCandidates : public testing::TestWithParam<Case> {
 protected:
  RandomCandidates()
      : task_(std::make_shared<const task::Task>(task::from_op(GetParam().op))),
        space_(space_of(task_, GetParam().kind)) {}

  // Replays, has bounds, and is what its steps encode to.
  void expect_valid(const Decisions& decisions) {
    const std::optional<schedule::Steps> steps = space_.decode(decisions);
    ASSERT_TRUE(steps) << space_.print(decisions);
    try {
      schedule::State state = schedule::replay(task_, *steps);
      schedule::infer_bounds(state);
    } catch (const std::exception& error) {
      FAIL() << error.what() << '\n' << space_.print(decisions) << '\n' << schedule::to_json(*steps);
    }
    ASSERT_EQ(space_.encode(*steps), decisions) << space_.print(decisions) << '\n'
                                                << schedule::to_json(*steps);
  }

  Decisions sampled(Random& random) {
    const std::optional<Decisions> decisions = space_.sample(random);
    EXPECT_TRUE(decisions);
    return decisions.value_or(Decisions{});
  }

  TaskPointer task_;
  Space space_;
};

TEST_P(RandomCandidates, SamplesAreValid) {
  Random random(1, 0);
  std::set<Decisions> distinct;
  for (int i = 0; i < 300; ++i) {
    const Decisions decisions = sampled(random);
    ASSERT_NO_FATAL_FAILURE(expect_valid(decisions));
    distinct.insert(decisions);
  }
  EXPECT_GT(distinct.size(), 3u);
}

TEST_P(RandomCandidates, AThousandMutationsInARowStayValid) {
  Random random(2, 0);
  Decisions decisions = sampled(random);
  int n_changed = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::optional<Decisions> mutant = space_.mutate(decisions, random);
    if (!mutant) continue;
    ASSERT_NO_FATAL_FAILURE(expect_valid(*mutant));
    n_changed += *mutant != decisions ? 1 : 0;
    decisions = *mutant;
  }
  EXPECT_GT(n_changed, 50);
}

TEST_P(RandomCandidates, AThousandCrossoversStayValid) {
  Random random(3, 0);
  std::vector<Decisions> parents;
  for (int i = 0; i < 40; ++i) parents.push_back(sampled(random));
  int n_children = 0;
  for (int i = 0; i < 1000; ++i) {
    const Decisions& a = parents[static_cast<std::size_t>(random.below(40))];
    const Decisions& b = parents[static_cast<std::size_t>(random.below(40))];
    const auto child = space_.cross(a, b, [&](int) { return random.below(2) == 0; }, random);
    if (a.front() != b.front()) {
      EXPECT_FALSE(child);
      continue;
    }
    if (!child) continue;
    ++n_children;
    ASSERT_NO_FATAL_FAILURE(expect_valid(*child));
  }
  EXPECT_GT(n_children, 10);
}

// What is asked for is an op whose rows a model has scored: stages that steps add count for theirs.
TEST_P(RandomCandidates, CrossingAsksForOpsOfTheTask) {
  Random random(6, 0);
  for (int i = 0; i < 100; ++i) {
    const Decisions a = sampled(random), b = sampled(random);
    const schedule::State state = schedule::replay(task_, *space_.decode(a));
    const std::vector<int> ops = schedule::original_ops(state);
    (void)space_.cross(
        a, b,
        [&](int node) {
          EXPECT_TRUE(std::ranges::find(ops, node) != ops.end()) << node;
          EXPECT_FALSE(task_->ops.at(static_cast<std::size_t>(node)).is_placeholder()) << node;
          return true;
        },
        random);
  }
}

TEST_P(RandomCandidates, NeighboursAreValidDistinctAndOthers) {
  Random random(4, 0);
  for (int i = 0; i < 5; ++i) {
    const Decisions decisions = sampled(random);
    const std::vector<Decisions> neighbours = space_.neighbours(decisions);
    EXPECT_FALSE(neighbours.empty());
    std::set<Decisions> distinct(neighbours.begin(), neighbours.end());
    EXPECT_EQ(distinct.size(), neighbours.size());
    EXPECT_FALSE(distinct.contains(decisions));
    for (const Decisions& neighbour : neighbours) ASSERT_NO_FATAL_FAILURE(expect_valid(neighbour));
  }
}

TEST_P(RandomCandidates, OneSeedGivesOneCandidate) {
  Random one(5, 7), same(5, 7);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(space_.sample(one), space_.sample(same));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Kind kind : {Kind::Cpu, Kind::Gpu, Kind::Hone}) {
    for (const char* op : {"matmul:m=512,n=512,k=512", "matmul:m=8,n=8,k=1024+relu",
                           "conv2d:ci=64,hw=28,co=64,k=3,s=1,p=1,layout=nhwc+bias+relu",
                           "conv2d:ci=32,hw=14,co=64,k=3,s=2,p=1,layout=nchw",
                           "depthwise:ci=32,hw=14,k=3,p=1,layout=nhwc", "softmax:rows=128,cols=512",
                           "layer_norm:rows=64,cols=768", "max_pool:ci=64,hw=112,k=3,s=2,p=1",
                           "transpose_batch_matmul:b=1,seq=128,heads=12,dim=64",
                           "batch_matmul:b=12,m=128,n=128,k=64,trans=t", "argmax:rows=128,cols=1000"}) {
      all.push_back({op, kind});
    }
  }
  return all;
}
std::string case_name(const testing::TestParamInfo<Case>& tested) {
  const std::string op = tested.param.op;
  const char* const kinds[] = {"Cpu", "Gpu", "Hone"};
  return op.substr(0, op.find(':')) + std::to_string(tested.index) +
         kinds[static_cast<int>(tested.param.kind)];
}
INSTANTIATE_TEST_SUITE_P(Catalogue, RandomCandidates, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace hone::space
