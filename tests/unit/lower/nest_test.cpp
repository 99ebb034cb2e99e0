#include "lower/nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "base/error.h"
#include "ir/interpret.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "schedule/layout.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"
#include "task/evaluate.h"
#include "tests/property/random_schedule.h"

namespace hone::lower {
namespace {

using TaskPointer = std::shared_ptr<const task::Task>;

TaskPointer task_of(std::string_view op) {
  return std::make_shared<const task::Task>(task::from_op(op));
}

// Small whole numbers, so that sums are exact in any order.
std::vector<std::vector<double>> inputs_of(const task::Task& task) {
  std::vector<std::vector<double>> inputs;
  std::mt19937 random(7);
  for (const int s : task.placeholders()) {
    std::int64_t count = 1;
    for (const std::int64_t extent : task.ops[static_cast<std::size_t>(s)].output()->shape) {
      count *= extent;
    }
    inputs.emplace_back();
    for (std::int64_t i = 0; i < count; ++i) {
      inputs.back().push_back(static_cast<double>(random() % 9) - 4);
    }
  }
  return inputs;
}

std::vector<double> pack_values(const schedule::PackedLayout& layout,
                                const std::vector<std::int64_t>& shape,
                                const std::vector<double>& values) {
  const auto packed = schedule::pack(layout, shape, std::as_bytes(std::span(values)), sizeof(double));
  std::vector<double> out(packed.size() / sizeof(double));
  std::memcpy(out.data(), packed.data(), packed.size());
  return out;
}

// Runs the nest; the answers of all outputs, one after the other.
std::vector<std::vector<double>> run(const schedule::State& state, const task::Task& original,
                                     const NestOptions& options = {}) {
  const ir::Program program = nest(state, options);
  ir::check_valid(program);
  auto inputs = inputs_of(original);
  const std::vector<int> placeholders = original.placeholders();
  std::vector<ir::Tensor> params;
  for (std::size_t p = 0; p < program.params.size(); ++p) {
    params.push_back(ir::make_tensor(program.params[p]));
    if (p >= inputs.size()) continue;
    const auto layout =
        options.pack_constants ? schedule::packed_layout(state, placeholders[p]) : std::nullopt;
    const auto& shape = original.ops[static_cast<std::size_t>(placeholders[p])].output()->shape;
    const std::vector<double> values = layout ? pack_values(*layout, shape, inputs[p]) : inputs[p];
    for (std::size_t i = 0; i < values.size(); ++i) {
      ir::set(params[p], static_cast<std::int64_t>(i), values[i]);
    }
  }
  ir::interpret(program, params);
  std::vector<std::vector<double>> answers;
  for (std::size_t p = inputs.size(); p < params.size(); ++p) {
    answers.emplace_back();
    for (std::int64_t i = 0; i < ir::span_elements(*params[p].buffer); ++i) {
      answers.back().push_back(ir::get(params[p], i));
    }
  }
  return answers;
}

void expect_right(const schedule::State& state, const task::Task& original,
                  const NestOptions& options = {}) {
  const auto expected = task::evaluate(original, inputs_of(original));
  std::vector<std::vector<double>> answers;
  ASSERT_NO_THROW(answers = run(state, original, options)) << schedule::to_json(state.steps) << "\n"
                                                           << ir::print(nest(state, options));
  ASSERT_EQ(answers.size(), expected.size());
  for (std::size_t o = 0; o < answers.size(); ++o) {
    ASSERT_EQ(answers[o].size(), expected[o].size());
    for (std::size_t i = 0; i < answers[o].size(); ++i) {
      ASSERT_NEAR(answers[o][i], expected[o][i], 1e-3 * (1 + std::abs(expected[o][i])))
          << "element " << i << " of output " << o << ", " << schedule::to_json(state.steps) << "\n"
          << ir::print(nest(state, options));
    }
  }
}

schedule::State scheduled(const TaskPointer& task, std::string_view steps) {
  schedule::State state = schedule::replay(task, schedule::steps_from_json(steps));
  schedule::infer_bounds(state);
  return state;
}

constexpr std::string_view kSmallTasks[] = {
    "matmul:m=7,n=9,k=10+bias+relu",
    "conv2d:n=1,ci=3,hw=6,co=5,k=3,s=1,p=1,layout=nhwc+bias+relu",
    "conv2d:n=1,ci=4,hw=7,co=6,k=3,s=2,p=1,g=2,layout=nchw",
    "depthwise:n=1,ci=5,hw=7,k=3,s=2,p=1+relu",
    "softmax:rows=5,cols=7",
    "layer_norm:rows=4,cols=9",
    "max_pool:n=1,ci=3,hw=8,k=3,s=2,p=1",
    "argmax:rows=4,cols=9",
    "batch_matmul:b=2,m=5,n=4,k=6",
    "conv2d_transpose:n=1,ci=3,hw=4,co=2,k=4,s=2,p=1",
};

TEST(Nest, InitialStatesComputeTheTask) {
  for (const std::string_view op : kSmallTasks) {
    const TaskPointer task = task_of(op);
    schedule::State state = schedule::initial_state(task);
    schedule::infer_bounds(state);
    expect_right(state, *task);
  }
}

TEST(Nest, ThreadsFetchTogetherAndKeepTheirTilesToThemselves) {
  const TaskPointer task = task_of("matmul:m=16,n=24,k=10");
  const schedule::State state = scheduled(task, R"([["CHW", 2, "local"],
      ["SP", 2, 0, 16, [2, 2, 2, 1], 1], ["SP", 2, 5, 24, [1, 3, 2, 2], 1], ["SP", 2, 10, 10, [2, 2], 1],
      ["RE", 2, [0, 5, 1, 6, 2, 7, 10, 11, 3, 8, 12, 4, 9]],
      ["FSP", 3, 0, 1, 3], ["FSP", 3, 4, 2, 3], ["RE", 3, [0, 4, 1, 5, 2, 6, 3, 7]], ["CA", 2, 3, 5],
      ["CHR", 1, "shared", [2]], ["CA", 2, 3, 6], ["CHR", 0, "shared", [3]], ["CA", 1, 4, 6],
      ["FU", 5, [0, 1]], ["AN", 5, 0, 5], ["FU", 5, [1, 2]], ["AN", 5, 1, 4], ["FU", 5, [2, 3]],
      ["AN", 5, 2, 6], ["FU", 3, [0, 1]], ["SP", 3, 0, 0, [1], 1], ["AN", 3, 1, 2],
      ["FFSP", 3, 0, [1, 2], 1, 1], ["AN", 3, 1, 6], ["FU", 1, [0, 1]], ["SP", 1, 0, 0, [2], 1],
      ["AN", 1, 1, 2], ["FFSP", 1, 0, [1, 2], 1, 1], ["AN", 1, 1, 6], ["PR", 4, 0, "auto_unroll_max_step$16"]])");
  expect_right(state, *task);
}

TEST(Nest, ReductionsAcrossThreadsAreCombined) {
  const TaskPointer task = task_of("softmax:rows=6,cols=20");
  // Stages: 1 the maximum, 2 exp, 3 the sum, 4 the result.
  expect_right(scheduled(task, R"([["SP", 4, 1, 20, [8], 1], ["AN", 4, 2, 6], ["FSP", 3, 1, 0, 1],
      ["AN", 3, 2, 6], ["CA", 3, 4, 0], ["CI", 2], ["FSP", 1, 1, 0, 1], ["AN", 1, 2, 6],
      ["CA", 1, 4, 0], ["AN", 4, 0, 5]])"),
               *task);
  const TaskPointer arg = task_of("argmax:rows=3,cols=33");
  expect_right(scheduled(arg, R"([["SP", 1, 1, 33, [8], 1], ["AN", 1, 2, 6], ["AN", 1, 0, 5]])"), *arg);
}

TEST(Nest, AlignedStorageIsSpreadOut) {
  const TaskPointer task = task_of("matmul:m=6,n=10,k=5");
  const schedule::State state = scheduled(task, R"([["CHW", 2, "local"], ["SA", 2, 0, 8, 3]])");
  const ir::Program program = nest(state);
  const auto* alloc = program.stmts.front().as<ir::Alloc>();
  ASSERT_NE(alloc, nullptr);
  EXPECT_EQ(alloc->buffer->strides, (std::vector<std::int64_t>{11, 1}));
  expect_right(state, *task);
}

std::string refusal(std::string_view op, std::string_view steps) {
  try {
    nest(scheduled(task_of(op), steps));
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Nest, MisplacedThreadsAreRefused) {
  EXPECT_EQ(refusal("matmul:m=6,n=10,k=5", R"([["AN", 2, 0, 3], ["AN", 2, 1, 6]])"),
            "j is a threadIdx.x loop inside a parallel loop");
  EXPECT_EQ(refusal("matmul:m=6,n=10,k=5", R"([["AN", 2, 0, 6], ["AN", 2, 1, 5]])"),
            "j is a blockIdx.x loop inside a threadIdx.x loop");
  EXPECT_EQ(refusal("matmul:m=6,n=10,k=5", R"([["AN", 2, 2, 5]])"),
            "C cannot reduce across threads: blocks and vthreads have no common memory");
  EXPECT_EQ(
      refusal("matmul:m=6,n=10,k=5", R"([["CHW", 2, "global"], ["AN", 3, 0, 6], ["CA", 2, 3, 0]])"),
      "C.global is computed by a thread and lives in global memory");
}

TEST(Nest, ASkippedStageHasNoProgram) {
  const TaskPointer task = task_of("matmul:m=6,n=10,k=5+relu");
  EXPECT_THROW(nest(scheduled(task, R"([["CA", 2, 3, 0], ["PR", 2, 0, "debug_skip_region"]])")),
               UserError);
}

TEST(Nest, ConstantsAreReadInTheLayoutOfTheLoops) {
  int packed = 0;
  for (const std::string_view op : kSmallTasks) {
    const TaskPointer task = task_of(op);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const schedule::State state = property::random_schedule(task, seed);
      expect_right(state, *task, {.pack_constants = true});
      if (testing::Test::HasFatalFailure()) return;
      for (const int operand : task->placeholders()) {
        packed += schedule::packed_layout(state, operand).has_value();
      }
    }
  }
  EXPECT_GT(packed, 20);
}

TEST(Nest, LoopsCarryWhatIsPrefetched) {
  schedule::State state = schedule::replay(task_of("matmul:m=8,n=8,k=8"),
                                           schedule::steps_from_json(R"([["PF", 2, 2, 1, 4]])"));
  schedule::infer_bounds(state);
  const std::string text = ir::print(nest(state));
  EXPECT_NE(text.find("for k (0, 8) ahead B 4\n"), std::string::npos) << text;
}

// The copy of B, [n, k], has neighbours along j side by side, as the vectors of C read them.
TEST(Nest, APanelLiesInMemoryAsItIsRead) {
  const TaskPointer task = task_of("batch_matmul:b=1,m=6,n=32,k=5,trans=t");
  schedule::State state = schedule::replay(task, schedule::steps_from_json(R"([
      ["SP", 2, 2, 32, [8], 1], ["RE", 2, [2, 0, 1, 4, 3]], ["AN", 2, 4, 2],
      ["CHR", 1, "global", [2]], ["CA", 2, 3, 0]])"));
  schedule::infer_bounds(state);
  const ir::Program program = nest(state);
  const auto alloc = std::ranges::find_if(
      program.stmts, [](const ir::Stmt& stmt) { return stmt.as<ir::Alloc>() != nullptr; });
  ASSERT_NE(alloc, program.stmts.end());
  const ir::Buffer panel = alloc->as<ir::Alloc>()->buffer;
  EXPECT_EQ(panel->shape, (std::vector<std::int64_t>{1, 8, 5}));
  EXPECT_EQ(ir::strides_of(*panel), (std::vector<std::int64_t>{40, 1, 8}));
  const schedule::State plain = [&] {
    schedule::State made = schedule::initial_state(task);
    schedule::infer_bounds(made);
    return made;
  }();
  EXPECT_EQ(run(state, *task), run(plain, *task));
}

}  // namespace
}  // namespace hone::lower
