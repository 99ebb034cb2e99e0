#include "feature/instructions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "feature/statements.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::feature {
namespace {

constexpr const char* kMatmul = "matmul:m=72,n=256,k=1024";
// 6 rows of 32 in registers.
constexpr const char* kTiled =
    R"([["SP", 2, 0, 72, [6], 1], ["SP", 2, 2, 256, [32], 1], ["RE", 2, [0, 2, 4, 1, 3]],)"
    R"( ["FU", 2, [0, 1]], ["AN", 2, 0, 3], ["AN", 2, 3, 2]])";
const space::Hardware kCpu{.kind = space::Hardware::Kind::Cpu, .cores = 4, .vector_bytes = 64};

struct Program {
  schedule::State state;
  LoopTree tree;
};

Program program(const char* op, const char* steps) {
  schedule::State state = schedule::replay(std::make_shared<const task::Task>(task::from_op(op)),
                                           schedule::steps_from_json(steps));
  schedule::infer_bounds(state);
  LoopTree tree = loop_tree(state);
  return {std::move(state), std::move(tree)};
}

float at(const std::vector<float>& row, std::string_view name) {
  const auto& names = instruction_names();
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return row.at(static_cast<std::size_t>(found - names.begin()));
}

float amount(double value) { return static_cast<float>(std::log2(1 + value)); }

TEST(Instructions, AVectorisedReductionIsMultipliedAndAddedInRegisters) {
  const std::vector<float> row = instruction_rows(program(kMatmul, kTiled).tree, kCpu);
  ASSERT_EQ(row.size(), instruction_names().size());
  EXPECT_EQ(at(row, "is_used"), 1);
  EXPECT_EQ(at(row, "m"), amount(1));
  EXPECT_EQ(at(row, "n"), amount(16));
  EXPECT_EQ(at(row, "k"), amount(1));
  EXPECT_EQ(at(row, "lanes"), amount(16));
  EXPECT_EQ(at(row, "count"), amount(2));
  EXPECT_EQ(at(row, "result.register"), 1);
  EXPECT_EQ(at(row, "result.memory"), 0);
  EXPECT_EQ(at(row, "operand0.broadcast"), 1);
  EXPECT_EQ(at(row, "operand0.load"), 0);
  EXPECT_EQ(at(row, "operand1.load"), 1);
  EXPECT_EQ(at(row, "operand1.gather"), 0);
}

TEST(Instructions, WithoutOneARowIsZero) {
  const auto is_zero = [](float value) { return value == 0; };
  EXPECT_TRUE(std::ranges::all_of(instruction_rows(program(kMatmul, "[]").tree, kCpu), is_zero));
  const space::Hardware gpu{.kind = space::Hardware::Kind::Gpu, .cores = -1, .max_threads = 1024};
  EXPECT_TRUE(std::ranges::all_of(instruction_rows(program(kMatmul, kTiled).tree, gpu), is_zero));
}

TEST(Instructions, StandBesideStatements) {
  const Program made = program("conv2d:ci=8,co=16,hw=14,k=3+bias+relu", "[]");
  EXPECT_EQ(instruction_rows(made.tree, kCpu).size(),
            statements(made.tree, 64).size() * instruction_names().size());
}

}  // namespace
}  // namespace hone::feature
