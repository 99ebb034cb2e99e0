#include "schedule/layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "schedule/step_json.h"
#include "schedule/values.h"
#include "task/catalogue.h"

namespace hone::schedule {
namespace {

// Stages: 0 A, 1 B, 2 C.
State matmul(std::string_view op, std::string_view steps) {
  State state = replay(std::make_shared<const task::Task>(task::from_op(op)), steps_from_json(steps));
  infer_bounds(state);
  return state;
}

// The weights of a dense layer, [n, k], read tile by tile.
constexpr std::string_view kTiled = R"([["SP", 2, 0, 8, [4], 1], ["SP", 2, 2, 20, [2, 8], 1],
    ["SP", 2, 5, 6, [3], 1], ["RE", 2, [0, 2, 3, 5, 1, 6, 4]]])";

TEST(Layout, DimensionsAreThoseOfTheLoopsInTheirOrder) {
  const State state = matmul("dense:m=8,n=20,k=6", kTiled);
  const auto layout = packed_layout(state, 1);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->shape, (std::vector<std::int64_t>{2, 2, 2, 3, 8}));  // j.0 j.1 k.0 k.1 j.2
  EXPECT_EQ(layout->dims[0].stride, 16);
  EXPECT_EQ(layout->dims[1].stride, 8);
  EXPECT_EQ(layout->dims[3].axis, layout->dims[2].axis);
  EXPECT_EQ(layout->dims[4].stride, 1);  // the innermost loop reads neighbours
}

TEST(Layout, PaddingFillsTheTileGridAndHoldsZeros) {
  const State state = matmul("dense:m=8,n=20,k=6", kTiled);
  const auto layout = packed_layout(state, 1);
  ASSERT_TRUE(layout);
  const auto& shape = state.task->ops[1].output()->shape;
  std::vector<float> original(20 * 6);
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = static_cast<float>(i + 1);
  const auto bytes = pack(*layout, shape, std::as_bytes(std::span(original)), sizeof(float));
  std::vector<float> packed(bytes.size() / sizeof(float));
  std::memcpy(packed.data(), bytes.data(), bytes.size());
  ASSERT_EQ(packed.size(), 32U * 6U);  // 20 columns in tiles of 16
  std::multiset<float> found(packed.begin(), packed.end());
  EXPECT_EQ(found.count(0.0F), 12U * 6U);
  for (const float value : original) EXPECT_EQ(found.count(value), 1U);
  EXPECT_EQ(source_element(*layout, shape, 0), 0);
  // Next in the packed operand is the next column: the next row of [n, k].
  EXPECT_EQ(source_element(*layout, shape, 1), shape[0] == 20 ? 6 : 1);
  EXPECT_EQ(source_element(*layout, shape, element_count(*layout) - 1), -1);
}

TEST(Layout, PackingPutsEveryElementWhereItsSourceSays) {
  for (const char* op : {"dense:m=8,n=20,k=6", "dense:m=8,n=35,k=13"}) {
    const State state = matmul(op, kTiled);
    const auto layout = packed_layout(state, 1);
    ASSERT_TRUE(layout);
    const auto& shape = state.task->ops[1].output()->shape;
    std::vector<std::int16_t> original(static_cast<std::size_t>(shape[0] * shape[1]));
    for (std::size_t i = 0; i < original.size(); ++i) original[i] = static_cast<std::int16_t>(i + 1);
    const auto bytes = pack(*layout, shape, std::as_bytes(std::span(original)), sizeof(std::int16_t));
    for (std::int64_t i = 0; i < element_count(*layout); ++i) {
      std::int16_t value = 0;
      std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
      ASSERT_EQ(value, source_element(*layout, shape, i) + 1) << op << ", element " << i;
    }
  }
}

TEST(Layout, OuterLoopsOfTheConsumerCount) {
  // The product is computed tile by tile inside relu, whose loops are fused.
  const State state = matmul("dense:m=8,n=16,k=6+relu", R"([["SP", 2, 1, 16, [4], 1],
      ["RE", 2, [0, 1, 3, 2]], ["SP", 3, 1, 16, [4], 1], ["CA", 2, 3, 1], ["FU", 3, [0, 1]]])");
  const auto layout = packed_layout(state, 1);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->shape, (std::vector<std::int64_t>{4, 6, 4}));
}

TEST(Layout, OperandsAreFoundBehindNewStages) {
  const State state = matmul("dense:m=8,n=16,k=6", R"([["CHR", 0, "global", [2]]])");
  EXPECT_EQ(state.stages[2].name, "B");
  const auto layout = packed_layout(state, 1);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->shape, (std::vector<std::int64_t>{16, 6}));
}

TEST(Layout, OnlyConstantOperandsHaveOne) {
  const State state = matmul("dense:m=8,n=16,k=6", "[]");
  EXPECT_FALSE(packed_layout(state, 0));  // the input
  EXPECT_FALSE(packed_layout(state, 2));  // the result
}

// Stages with the copy of B, [n, k]: 0 A, 1 B, 2 B.global, 3 C.
std::vector<int> order_of_copy(std::string_view steps) {
  const State state = matmul("dense:m=8,n=16,k=6", steps);
  Vars vars = exact_vars(state);
  return panel_order(state, 2, vars);
}

TEST(PanelOrder, IsThatOfTheReadersLoops) {
  // j.0 i k j.1: neighbours along j are read one after the other.
  EXPECT_EQ(order_of_copy(R"([["SP", 2, 1, 16, [8], 1], ["RE", 2, [1, 0, 3, 2]],
                              ["CHR", 1, "global", [2]], ["CA", 2, 3, 0]])"),
            (std::vector<int>{1, 0}));
  // j i k
  EXPECT_EQ(order_of_copy(R"([["RE", 2, [1, 0, 2]], ["CHR", 1, "global", [2]], ["CA", 2, 3, 0]])"),
            (std::vector<int>{0, 1}));
}

TEST(PanelOrder, IsLeftToCopiesInPlainMemoryInsideALoop) {
  EXPECT_TRUE(order_of_copy(R"([["CHR", 1, "global", [2]]])").empty());
  EXPECT_TRUE(order_of_copy(R"([["CHR", 1, "shared", [2]], ["CA", 2, 3, 0]])").empty());
}

}  // namespace
}  // namespace hone::schedule
