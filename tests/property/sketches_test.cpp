// Sketches of random operators compute what their tasks say, whatever their lengths become.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lower/nest.h"
#include "schedule/step_json.h"
#include "space/sketch.h"
#include "task/catalogue.h"
#include "tests/property/random.h"
#include "tests/property/random_op.h"
#include "tests/property/trial.h"

namespace hone::property {
namespace {

constexpr std::uint64_t kTasks = 120, kStream = 7;
constexpr int kLongestTile = 4;  // few extents are multiples of 2, 3 and 4, so tails occur

schedule::Steps with_random_lengths(schedule::Steps steps, Random& random) {
  for (schedule::Step& step : steps) {
    auto* split = std::get_if<schedule::Split>(&step);
    if (split == nullptr) continue;
    for (auto& length : split->lengths) {
      if (!length) length = random.between(1, kLongestTile);
    }
  }
  return steps;
}

// A reduction across threads is a program only once its block is bound, which annotation does.
bool uses_threads(const schedule::Steps& steps) {
  return std::ranges::any_of(steps, [](const schedule::Step& step) {
    const auto* annotate = std::get_if<schedule::Annotate>(&step);
    return annotate != nullptr && ir::is_thread_loop(annotate->annotation);
  });
}

int expect_right(std::uint64_t seed, const space::Hardware& hardware) {
  const auto task = std::make_shared<const task::Task>(task::from_op(random_op(seed)));
  Trial trial(*task, {.whole_terms = 1e18, .slack = slack_of(task->name)});
  Random random(seed, kStream);
  int n_run = 0;
  for (const space::Sketch& sketch : space::sketches(task, hardware)) {
    if (uses_threads(sketch.steps)) continue;
    const schedule::Steps steps = with_random_lengths(sketch.steps, random);
    SCOPED_TRACE(fmt::format("--op {}, steps\n{}", task->name, schedule::to_json(steps)));
    schedule::State state = schedule::replay(task, steps);
    schedule::infer_bounds(state);
    EXPECT_EQ(trial.interpret(lower::nest(state)), "");
    ++n_run;
  }
  return n_run;
}

TEST(property, SketchesComputeTheirTaskOnACpu) {
  space::Hardware two_cores;
  two_cores.cores = 2;
  int n_run = 0;
  for (std::uint64_t seed = 0; seed < kTasks && !HasFailure(); ++seed) {
    n_run += expect_right(seed, two_cores);
  }
  EXPECT_GT(n_run, 300);
}

TEST(property, SketchesComputeTheirTaskOnAGpu) {
  const space::Hardware gpu{space::Hardware::Kind::Gpu, -1, 16, 64, 49152, 1 << 30, 1024, 8, 32};
  int n_run = 0;
  for (std::uint64_t seed = 0; seed < kTasks && !HasFailure(); ++seed) n_run += expect_right(seed, gpu);
  EXPECT_GT(n_run, 100);
}

}  // namespace
}  // namespace hone::property
