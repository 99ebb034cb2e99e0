#include "feature/statements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "schedule/step_json.h"
#include "task/catalogue.h"
#include "task/text.h"

namespace hone::feature {
namespace {

constexpr std::string_view kMatmul =
    "A = PLACEHOLDER [512, 512]\n"
    "B = PLACEHOLDER [512, 512]\n"
    "C(i, j) += (A[i, k]*B[k, j])\n";

Statements statements_of(std::string_view dag, std::string_view steps,
                         const task::ParseContext& context = {}) {
  const auto task = std::make_shared<const task::Task>(task::parse(dag, context));
  schedule::State state = schedule::replay(task, schedule::steps_from_json(steps));
  schedule::infer_bounds(state);
  return statements(state, space::Hardware{});
}

std::size_t column(std::string_view name) {
  const auto& names = statement_names();
  const auto at = std::find(names.begin(), names.end(), name);
  EXPECT_NE(at, names.end()) << name;
  return static_cast<std::size_t>(at - names.begin());
}

// The number behind a column's logarithm.
double amount(const Statements& all, std::size_t row, std::string_view name) {
  return std::exp2(all.row(row)[column(name)]) - 1;
}

void expect_amount(const Statements& all, std::size_t row, std::string_view name, double expected) {
  EXPECT_NEAR(amount(all, row, name), expected, 1e-4 * expected) << name;
}

// The place among the listed tensors at which a column of theirs is 1.
std::string tensor_with(const Statements& all, std::size_t row, const std::string& flag) {
  for (int i = 0; i < kMaxTensors; ++i) {
    const std::string name = 'B' + std::to_string(i) + '.';
    if (all.row(row)[column(name + flag)] == 1) return name;
  }
  ADD_FAILURE() << "no tensor with " << flag;
  return "B0.";
}

// The worked example of TVM's own tests.
TEST(Statements, OfTiledMatmul) {
  const Statements all = statements_of(kMatmul, R"([
      ["SP", 2, 0, 512, [16], 1], ["SP", 2, 2, 512, [8], 1], ["RE", 2, [0, 2, 4, 3, 1]],
      ["AN", 2, 0, 3], ["AN", 2, 1, 3], ["AN", 2, 2, 1], ["AN", 2, 3, 2]])");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all.stages.front(), 2);
  expect_amount(all, 0, "unroll_num", 1);
  expect_amount(all, 0, "vec_num", 1);
  expect_amount(all, 0, "vec_len", 8);
  expect_amount(all, 0, "parallel_num", 2);
  expect_amount(all, 0, "parallel_prod", 2048);
  EXPECT_EQ(all.row(0)[column("parallel_type.mixed")], 1);
  expect_amount(all, 0, "float_addsub", 512.0 * 512 * 512);
  const std::string c = tensor_with(all, 0, "acc_type.read_write");
  expect_amount(all, 0, c + "bytes", 512.0 * 512 * 512 * 4);
  expect_amount(all, 0, c + "reuse_dis_iter", 128);
  expect_amount(all, 0, c + "reuse_dis_bytes", (128 + 8 + 16) * 4);
  expect_amount(all, 0, c + "reuse_ct", 512);
  EXPECT_EQ(all.row(0)[column(c + "reuse_type.loop")], 1);
}

TEST(Statements, ReuseBetweenStatementsOfOneLoop) {
  const Statements all = statements_of(
      "A = PLACEHOLDER [64, 32]\n"
      "B(i, j) = (A[i, j]*2f)\n"
      "C(i, j) = (B[i, j]*3f)\n",
      R"([["CA", 1, 2, 1]])");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.stages, (std::vector<int>{1, 2}));
  const std::string b = tensor_with(all, 1, "reuse_type.serial");
  EXPECT_EQ(all.row(1)[column(b + "acc_type.read")], 1);
  expect_amount(all, 1, b + "reuse_dis_iter", 1);
  expect_amount(all, 1, b + "reuse_dis_bytes", 16);
  expect_amount(all, 0, "alloc_size", 4);
  expect_amount(all, 0, "alloc_outer_prod", 64 * 32);
}

TEST(Statements, ConditionsThatAlwaysHoldDoNotCount) {
  task::ParseContext context;
  context.ops = {{"A", {64}, {}}, {"B", {64}, {}}};
  for (const bool always : {true, false}) {
    const Statements all =
        statements_of(std::string("A = PLACEHOLDER [64]\nB(i) = tir.if_then_else((i < ") +
                          (always ? "64" : "63") + "), A[i], 0f)\n",
                      "[]", context);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all.row(0)[column("float_mathfunc")] == 0, always);
    EXPECT_EQ(all.row(0)[column("int_cmp")] == 0, always);
  }
}

TEST(Statements, OfTheSameStateAreTheSame) {
  const auto once = statements_of(kMatmul, "[]"), again = statements_of(kMatmul, "[]");
  EXPECT_EQ(once.values, again.values);
}

// Gathers, arg-max and other types among them.
TEST(Statements, OfEveryOperator) {
  for (const task::OperatorHelp& help : task::catalogue()) {
    const auto task = std::make_shared<const task::Task>(task::from_op(help.example));
    schedule::State state = schedule::initial_state(task);
    schedule::infer_bounds(state);
    const Statements all = statements(state, space::Hardware{});
    std::size_t outputs = 0;
    for (const task::Op& op : task->ops) outputs += op.is_placeholder() ? 0 : op.outputs.size();
    EXPECT_EQ(all.size(), outputs) << help.example;
    EXPECT_TRUE(std::ranges::all_of(all.values, [](float value) { return std::isfinite(value); }))
        << help.example;
  }
}

}  // namespace
}  // namespace hone::feature
