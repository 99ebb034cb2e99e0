#include "tune/rehearsal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "graph/evaluate.h"
#include "model/compare.h"
#include "small_network.h"
#include "space/tiling.h"
#include "tests/shared_data.h"

namespace hone::tune {
namespace {

bool any(graph::Algorithm) { return true; }

class RehearsalTest : public testing::Test {
 protected:
  // Every task has two trials, of the same schedule: the first one took as long as the test says.
  void make_lanes(const std::vector<double>& seconds) {
    const target::Target target = target::host();
    for (std::size_t t = 0; t < plan_.tasks.size(); ++t) {
      const schedule::Steps steps = space::analytic_steps(*plan_.tasks[t], target, target.cores);
      lanes_.emplace_back(plan_.tasks[t], target, steps, [] { return Parts(); });
      for (const double factor : {1.0, 1.05, 2.0}) {
        Trial trial{candidate_of(steps), 0, {}, 0};
        trial.measurement.status = measure::Status::Ok;
        trial.measurement.seconds = {factor * seconds[t]};
        lanes_.back().add(trial);
      }
    }
  }
  Rehearsal rehearsal_of(const std::string& scratch, double build_s, double budget_s) const {
    return {.plan = plan_,
            .network = 0,
            .lanes = lanes_,
            .conversions_s = std::vector<double>(plan_.conversions.size(), 1e-3),
            .scratch = scratch,
            .build_s = build_s,
            .budget_s = budget_s,
            .stop = [] { return false; }};
  }
  double error_of(const Selection& selection) {
    const std::string path = temporary_file("version.hone");
    const Version version(plan_, 0, lanes_, selection, path);
    std::filesystem::remove(path);
    std::vector<model::Tensor> inputs;
    for (std::size_t i = 0; i < plan_.networks[0].graph.inputs.size(); ++i)
      inputs.push_back(version.input(i));
    const auto want = graph::evaluate(plan_.networks[0].graph, inputs);
    return model::relative_error(version.answer()[0], want[0]);
  }

  Plan plan_ = plan_networks({small_network()}, {});
  std::vector<Lane> lanes_;
};

// Five tasks channels last, then the same channels first: the three ways of a convolution, and two of
// one with a kernel of one element.
constexpr double kSlow = 1;

TEST_F(RehearsalTest, ContendersAreTheFastestOfAllAlternatives) {
  make_lanes({3e-3, 1e-3, 1.02e-3, 2e-3, 3.5e-3, kSlow, kSlow, kSlow, kSlow, kSlow});
  const auto all = contenders(plan_, lanes_, any);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0], (std::vector<Pick>{{1, 0}, {2, 0}, {1, 1}, {2, 1}}));
  EXPECT_EQ(all[1], (std::vector<Pick>{{0, 0}, {1, 0}, {0, 1}}))
      << "the best of another algorithm, too";
  const auto direct = contenders(
      plan_, lanes_, [](graph::Algorithm algorithm) { return algorithm == graph::Algorithm::Direct; });
  EXPECT_EQ(direct[0], (std::vector<Pick>{{0, 0}, {0, 1}}));
}

TEST_F(RehearsalTest, WithoutTrialsTheUntunedOneIsTaken) {
  for (const auto& task : plan_.tasks)
    lanes_.emplace_back(task, target::host(), std::nullopt, [] { return Parts(); });
  const auto all = contenders(plan_, lanes_, any);
  EXPECT_EQ(all[0], std::vector<Pick>{Pick{}});
  EXPECT_EQ(rehearse(rehearsal_of("no file is written", 1, 1.5), all), untuned_selection(plan_, 0));
  EXPECT_LT(error_of(untuned_selection(plan_, 0)), 1e-5);
}

TEST_F(RehearsalTest, EveryAlgorithmGivesTheNetworksAnswer) {
  make_lanes(std::vector<double>(10, 1));
  for (const int first : {0, 1, 2}) {
    for (const int second : {0, 1}) {
      const std::vector<Pick> picks = {{first, 0}, {second, 1}, {2 - first, 0}, {second, 0}};
      EXPECT_LT(error_of({{0, 0, 0}, picks}), 1e-5) << first << " " << second;
      EXPECT_LT(error_of({{1, 0, second}, picks}), 1e-5) << first << " " << second;
    }
  }
}

TEST_F(RehearsalTest, EveryMixtureOfLayoutsGivesTheNetworksAnswer) {
  plan_ = plan_networks({small_network()}, {.exact = true, .lanes = 4});
  make_lanes(std::vector<double>(plan_.tasks.size(), 1));
  const std::vector<Pick> picks(plan_.choices.size(), {0, 0});
  for (const std::vector<int>& options :
       std::vector<std::vector<int>>{{2, 2, 2}, {2, 0, 2}, {0, 2, 1}, {1, 2, 2}, {2, 1, 0}})
    EXPECT_LT(error_of({options, picks}), 1e-5) << options[0] << options[1] << options[2];
}

TEST_F(RehearsalTest, AttentionGivesTheSameAnswerInBothForms) {
  plan_ = plan_networks({attention_network()}, {});
  make_lanes(std::vector<double>(plan_.tasks.size(), 1));
  for (const int option : {0, 1})
    EXPECT_LT(error_of({{option}, std::vector<Pick>(plan_.choices.size(), {0, 0})}), 1e-5);
}

TEST_F(RehearsalTest, PicksOneContenderForEachChoice) {
  make_lanes({1e-3, 1.05e-3, 1.1e-3, 1e-3, 1e-3, kSlow, kSlow, kSlow, kSlow, kSlow});
  const auto all = contenders(plan_, lanes_, any);
  const Selection selection = rehearse(rehearsal_of(temporary_file("rehearsal"), 1e-3, 0.5), all);
  ASSERT_EQ(selection.picks.size(), 4u);
  EXPECT_EQ(selection.options, (std::vector{0, 0, 0}));
  for (std::size_t c = 0; c < 4; ++c)
    EXPECT_NE(std::ranges::find(all[c], selection.picks[c]), all[c].end());
}

TEST_F(RehearsalTest, FormsThatAreNearAreTriedInTheNetwork) {
  plan_ = plan_networks({attention_network()}, {});
  // One task that claims to take as long as three: which one is faster only the network can tell.
  make_lanes({3e-3, 1e-3, 1e-3, 1e-3});
  const auto all = contenders(plan_, lanes_, any);
  const Selection selection = rehearse(rehearsal_of(temporary_file("rehearsal"), 1e-3, 0.5), all);
  EXPECT_EQ(selection.picks.size(), 4u);
  EXPECT_LT(error_of(selection), 1e-5);
}

TEST_F(RehearsalTest, WithoutTimeTheFastestAloneIsTaken) {
  make_lanes({1e-3, 1.05e-3, 1.1e-3, 1e-3, 1e-3, kSlow, kSlow, kSlow, kSlow, kSlow});
  auto all = contenders(plan_, lanes_, any);
  Selection selection = rehearse(rehearsal_of("no file is written", 1, 1.5), all);
  EXPECT_EQ(selection.options, (std::vector{0, 0, 0}));
  EXPECT_EQ(selection.picks[0], all[0][0]);
  lanes_.clear();
  make_lanes({kSlow, kSlow, kSlow, 1e-3, 1e-3, 1e-3, 2e-3, 2e-3, kSlow, kSlow});
  all = contenders(plan_, lanes_, any);
  selection = rehearse(rehearsal_of("no file is written", 1, 1.5), all);
  EXPECT_EQ(selection.options, (std::vector{1, 1, 0})) << "the other layout, clearly";
}

}  // namespace
}  // namespace hone::tune
