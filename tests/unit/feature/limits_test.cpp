#include "feature/limits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schedule/step_json.h"
#include "task/text.h"

namespace hone::feature {
namespace {

space::Hardware gpu() {
  const std::int64_t numbers[] = {-1, 16, 64, 49152, 65536, 1024, 8, 32};
  return space::hardware_from(numbers);
}

std::optional<std::string_view> exceeded_by(std::string_view steps) {
  const auto task =
      std::make_shared<const task::Task>(task::parse("A = PLACEHOLDER [64, 4096]\n"
                                                     "B(i, j) = (A[i, j]*2f)\n"));
  schedule::State state = schedule::replay(task, schedule::steps_from_json(steps));
  schedule::infer_bounds(state);
  return exceeded(loop_tree(state), gpu());
}

TEST(Limits, ThreadsOfABlock) {
  const std::string threads = R"([["SP", 1, 1, 4096, [{}], 1], ["AN", 1, 0, 5], ["AN", 1, 2, 6]])";
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(threads), 1024)), std::nullopt);
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(threads), 2048)), "threads");
}

TEST(Limits, VirtualThreads) {
  const std::string vthreads = R"([["SP", 1, 0, 64, [{}], 1], ["AN", 1, 0, 5], ["AN", 1, 1, 4]])";
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(vthreads), 8)), std::nullopt);
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(vthreads), 16)), "virtual threads");
}

TEST(Limits, VectorLanes) {
  const std::string vectors = R"([["SP", 1, 1, 4096, [{}], 1], ["AN", 1, 0, 5], ["AN", 1, 2, 2]])";
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(vectors), 4)), std::nullopt);
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(vectors), 8)), "vector lanes");
}

// A cache of A for one block: rows of 4096 numbers, `{}` of them.
TEST(Limits, SharedMemory) {
  const std::string cached = R"([["CHR", 0, "shared", [1]], ["SP", 2, 0, 64, [{}], 1],
      ["AN", 2, 0, 5], ["AN", 2, 1, 6], ["CA", 1, 2, 1]])";
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(cached), 2)), std::nullopt);
  EXPECT_EQ(exceeded_by(fmt::format(fmt::runtime(cached), 4)), "shared memory");
}

TEST(Limits, NoneOnACpu) {
  const auto task =
      std::make_shared<const task::Task>(task::parse("A = PLACEHOLDER [64, 4096]\n"
                                                     "B(i, j) = (A[i, j]*2f)\n"));
  schedule::State state = schedule::replay(task, schedule::steps_from_json(R"([["AN", 1, 1, 2]])"));
  schedule::infer_bounds(state);
  EXPECT_EQ(exceeded(loop_tree(state), space::Hardware{}), std::nullopt);
}

}  // namespace
}  // namespace hone::feature
