// Candidates compute the same in memory whose rows lie apart, and leave alone what lies between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ir/interpret.h"
#include "lower/nest.h"
#include "lower/optimise.h"
#include "space/space.h"
#include "task/catalogue.h"
#include "tests/property/random.h"
#include "tests/property/random_op.h"

namespace hone::property {
namespace {

using Strides = std::vector<std::int64_t>;

constexpr std::uint64_t kTasks = 40;
constexpr double kBetween = 77;  // what lies between rows

// As if the tensor were a part of one that is longer along some dimensions.
Strides apart(const std::vector<std::int64_t>& shape, Random& random) {
  Strides strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * (shape[d] + (random.chance(40) ? random.between(1, 17) : 0));
  return strides;
}

// Where the elements lie, in row-major order.
std::vector<std::int64_t> places(const ir::BufferNode& buffer) {
  const Strides strides = ir::strides_of(buffer);
  std::vector<std::int64_t> all = {0};
  for (std::size_t d = 0; d < buffer.shape.size(); ++d) {
    std::vector<std::int64_t> more;
    for (const std::int64_t place : all) {
      for (std::int64_t i = 0; i < buffer.shape[d]; ++i) more.push_back(place + i * strides[d]);
    }
    all = std::move(more);
  }
  return all;
}

// The output's elements. `nest` says where they are, `program` is what it became.
std::vector<double> run(const ir::Program& nest, const ir::Program& program) {
  std::vector<ir::Tensor> tensors;
  for (std::size_t p = 0; p < nest.params.size(); ++p) {
    tensors.push_back(ir::make_tensor(program.params[p]));
    const std::int64_t span = ir::span_elements(*nest.params[p]);
    for (std::int64_t e = 0; e < span; ++e) ir::set(tensors[p], e, kBetween);
    std::uint64_t element = 0;
    for (const std::int64_t place : places(*nest.params[p]))
      ir::set(tensors[p], place, static_cast<double>(random_bits(p, 0, element++) % 13) / 8 - 0.5);
  }
  ir::interpret(program, tensors);
  std::vector<double> answer;
  std::vector<bool> is_element(static_cast<std::size_t>(ir::span_elements(*nest.params.back())));
  for (const std::int64_t place : places(*nest.params.back())) {
    answer.push_back(ir::get(tensors.back(), place));
    is_element[static_cast<std::size_t>(place)] = true;
  }
  for (std::size_t e = 0; e < is_element.size(); ++e) {
    if (is_element[e]) continue;
    EXPECT_EQ(ir::get(tensors.back(), static_cast<std::int64_t>(e)), kBetween) << e;
  }
  return answer;
}

int expect_same(std::uint64_t seed, const target::Target& target) {
  const auto task = std::make_shared<const task::Task>(task::from_op(random_op(seed)));
  const space::Space space =
      space::hone_space(task, space::sketches(task, space::hardware_of(target)), target);
  hone::Random draws(seed, 3);
  Random random(seed, 4);
  int n_run = 0;
  for (int i = 0; i < 4; ++i) {
    const auto decisions = space.sample(draws);
    if (!decisions) continue;
    schedule::State state = schedule::replay(task, *space.decode(*decisions));
    schedule::infer_bounds(state);
    const ir::Program dense = lower::nest(state);
    lower::NestOptions options;
    for (const ir::Buffer& param : dense.params) options.strides.push_back(apart(param->shape, random));
    const ir::Program strided = lower::nest(state, options);
    SCOPED_TRACE(fmt::format("--op {}, {}", task->name, space.print(*decisions)));
    const std::vector<double> want = run(dense, lower::optimise(dense, target));
    const std::vector<double> got = run(strided, lower::optimise(strided, target));
    for (std::size_t e = 0; e < want.size(); ++e)
      EXPECT_NEAR(got[e], want[e], 1e-3 * (1 + std::abs(want[e]))) << e;
    ++n_run;
    if (testing::Test::HasFailure()) break;
  }
  return n_run;
}

TEST(property, CandidatesStepOverWhatLiesBetweenRows) {
  int n_run = 0;
  for (std::uint64_t seed = 0; seed < kTasks && !HasFailure(); ++seed)
    n_run += expect_same(seed, target::parse("avx2"));
  EXPECT_GT(n_run, 100);
}

}  // namespace
}  // namespace hone::property
