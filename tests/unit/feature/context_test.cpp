#include "feature/context.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "feature/embedding.h"
#include "task/catalogue.h"

namespace hone::feature {
namespace {

float column(const std::vector<float>& row, std::string_view name) {
  const auto& names = context_names();
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return found == names.end() ? 0 : row[static_cast<std::size_t>(found - names.begin())];
}

TEST(Context, DescribesTaskAndMachine) {
  const std::int64_t cpu[] = {24, 64, 64, 0, 0, 0, 0, 0};
  const auto row = context(task::from_op("conv2d:n=1,ci=64,hw=56,co=32,k=3,s=1,p=1,layout=nhwc+relu"),
                           space::hardware_from(cpu));
  EXPECT_EQ(row.size(), context_names().size());
  EXPECT_NEAR(column(row, "flops"), std::log2(1 + 2.0 * 56 * 56 * 32 * 64 * 9), 0.01);
  EXPECT_FLOAT_EQ(column(row, "main_extent0"), std::log2(33.F));
  EXPECT_FLOAT_EQ(column(row, "main_extent1"), std::log2(57.F));
  EXPECT_FLOAT_EQ(column(row, "main_reduction"), std::log2(1 + 64.F * 9));
  EXPECT_FLOAT_EQ(column(row, "cores"), std::log2(25.F));
  EXPECT_EQ(column(row, "has_window"), 1);
  EXPECT_EQ(column(row, "is_gpu"), 0);
  EXPECT_FLOAT_EQ(column(row, "ops_behind_main"), 1);
}

TEST(Context, NamesAreUnique) {
  const auto& names = context_names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

TEST(Context, TheMainOpIsTheSumWithMostWork) {
  const task::Task task = task::from_op("softmax:rows=8,cols=64");
  EXPECT_NE(task.ops[static_cast<std::size_t>(main_op(task))].reducer, task::Reducer::Max);
}

TEST(Embedding, LooksForNineTexts) {
  EXPECT_EQ(embedding("T_relu(a) = max(T_add[a], 0f)\nT_dense(i) += x"),
            (Embedding{1, 0, 1, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(embedding("compute(b, i, j) += (x*y)"), (Embedding{0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace hone::feature
