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
  double error_of(const Selection& selection) {
    const std::string path = temporary_file("version.hone");
    const Version version(plan_, 0, lanes_, selection, path);
    std::filesystem::remove(path);
    const model::Tensor input = version.input(0);
    const auto want = graph::evaluate(plan_.networks[0].graph, std::vector{input});
    return model::relative_error(version.answer()[0], want[0]);
  }

  Plan plan_ = plan_networks({small_network()}, {});
  std::vector<Lane> lanes_;
};

TEST_F(RehearsalTest, ContendersAreTheFastestOfAllAlternatives) {
  make_lanes({3e-3, 1e-3, 1.02e-3, 2e-3, 3.5e-3});
  const auto all = contenders(plan_, lanes_, any);
  ASSERT_EQ(all.size(), 2u);
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
  EXPECT_EQ(contenders(plan_, lanes_, any)[0], std::vector<Pick>{Pick{}});
  EXPECT_LT(error_of(Selection(2)), 1e-5);
}

TEST_F(RehearsalTest, EveryAlgorithmGivesTheNetworksAnswer) {
  make_lanes({1, 1, 1, 1, 1});
  for (const int first : {0, 1, 2}) {
    for (const int second : {0, 1})
      EXPECT_LT(error_of({{first, 0}, {second, 1}}), 1e-5) << first << " " << second;
  }
}

TEST_F(RehearsalTest, PicksOneContenderForEachChoice) {
  make_lanes({1e-3, 1.05e-3, 1.1e-3, 1e-3, 1e-3});
  const auto all = contenders(plan_, lanes_, any);
  const Selection selection =
      rehearse(plan_, 0, lanes_, all, temporary_file("rehearsal"), 1e-3, 0.5, [] { return false; });
  ASSERT_EQ(selection.size(), 2u);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NE(std::ranges::find(all[c], selection[c]), all[c].end());
}

TEST_F(RehearsalTest, WithoutTimeTheFastestAloneIsTaken) {
  make_lanes({1e-3, 1.05e-3, 1.1e-3, 1e-3, 1e-3});
  const auto all = contenders(plan_, lanes_, any);
  const Selection selection =
      rehearse(plan_, 0, lanes_, all, "no file is written", 1, 1.5, [] { return false; });
  EXPECT_EQ(selection, (Selection{all[0][0], all[1][0]}));
}

}  // namespace
}  // namespace hone::tune
