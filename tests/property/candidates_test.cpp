// Samples, mutants and children of both spaces compute what their tasks say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lower/nest.h"
#include "lower/optimise.h"
#include "schedule/step_json.h"
#include "space/space.h"
#include "task/catalogue.h"
#include "tests/property/random_op.h"
#include "tests/property/trial.h"

namespace hone::property {
namespace {

using space::Decisions;

constexpr std::uint64_t kTasks = 80;

// Up to four samples and what mutation and crossover make of them.
std::vector<Decisions> some_candidates(const space::Space& space, hone::Random& random) {
  std::vector<Decisions> found;
  for (int i = 0; i < 4; ++i) {
    if (auto sample = space.sample(random)) found.push_back(std::move(*sample));
  }
  const std::size_t n_samples = found.size();
  for (std::size_t i = 0; i < n_samples; ++i) {
    if (auto mutant = space.mutate(found[i], random)) found.push_back(std::move(*mutant));
    const auto either = [&](int) { return random.below(2) == 0; };
    if (auto child = space.cross(found[i], found[(i + 1) % n_samples], either, random)) {
      found.push_back(std::move(*child));
    }
  }
  return found;
}

// `make` gives the space of a task; returns how many candidates were run.
template <class Make>
int expect_right(std::uint64_t seed, const Make& make, bool optimise) {
  const auto task = std::make_shared<const task::Task>(task::from_op(random_op(seed)));
  Trial trial(*task, {.whole_terms = 1e18, .slack = slack_of(task->name)});
  const space::Space space = make(task);
  hone::Random random(seed, 11);
  int n_run = 0;
  for (const Decisions& decisions : some_candidates(space, random)) {
    const std::optional<schedule::Steps> steps = space.decode(decisions);
    EXPECT_TRUE(steps) << space.print(decisions);
    if (!steps) break;
    SCOPED_TRACE(
        fmt::format("--op {}, {}\n{}", task->name, space.print(decisions), schedule::to_json(*steps)));
    schedule::State state = schedule::replay(task, *steps);
    schedule::infer_bounds(state);
    ir::Program program = lower::nest(state);
    EXPECT_EQ(trial.interpret(program), "");
    if (optimise) {
      EXPECT_EQ(trial.interpret(lower::optimise(std::move(program), target::parse("avx2"))), "");
    }
    ++n_run;
  }
  return n_run;
}

template <class Make>
int run_all(const Make& make, bool optimise) {
  int n_run = 0;
  for (std::uint64_t seed = 0; seed < kTasks && !testing::Test::HasFailure(); ++seed) {
    n_run += expect_right(seed, make, optimise);
  }
  return n_run;
}

TEST(property, CandidatesOfHonesSpaceComputeTheirTask) {
  const target::Target target = target::parse("avx2");
  const int n_run = run_all(
      [&](const auto& task) {
        return space::hone_space(task, space::sketches(task, space::hardware_of(target)), target);
      },
      true);
  EXPECT_GT(n_run, 500);
}

TEST(property, CandidatesOfAnsorsSpaceComputeTheirTaskOnACpu) {
  space::Hardware two_cores;
  two_cores.cores = 2;
  const int n_run = run_all(
      [&](const auto& task) {
        return space::ansor_space(task, space::sketches(task, two_cores), two_cores);
      },
      false);
  EXPECT_GT(n_run, 500);
}

TEST(property, CandidatesOfAnsorsSpaceComputeTheirTaskOnAGpu) {
  const space::Hardware gpu{space::Hardware::Kind::Gpu, -1, 16, 64, 49152, 1 << 30, 1024, 8, 32};
  const int n_run = run_all(
      [&](const auto& task) { return space::ansor_space(task, space::sketches(task, gpu), gpu); },
      false);
  EXPECT_GT(n_run, 100);
}

}  // namespace
}  // namespace hone::property
