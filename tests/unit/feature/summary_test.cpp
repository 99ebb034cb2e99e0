#include "feature/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::feature {
namespace {

class Row {
 public:
  Row(const char* op, const char* steps) {
    schedule::State state = schedule::replay(std::make_shared<const task::Task>(task::from_op(op)),
                                             schedule::steps_from_json(steps));
    schedule::infer_bounds(state);
    const std::int64_t cpu[] = {4, 64, 64, 0, 0, 0, 0, 0};
    values_ = summary(state, loop_tree(state), space::hardware_from(cpu));
  }
  float at(std::string_view name) const {
    const auto& names = summary_names();
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return found == names.end() ? 0 : values_[static_cast<std::size_t>(found - names.begin())];
  }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<float> values_;
};

float amount(double value) { return static_cast<float>(std::log2(1 + value)); }

// 6 rows of 32 in registers, 1024 deep; cores share 12 * 8 tiles.
constexpr const char* kTiled =
    R"([["SP", 2, 0, 72, [6], 1], ["SP", 2, 2, 256, [32], 1], ["RE", 2, [0, 2, 4, 1, 3]],)"
    R"( ["FU", 2, [0, 1]], ["AN", 2, 0, 3], ["AN", 2, 3, 2], ["PR", 2, 0, "auto_unroll_max_step$512"]])";

TEST(Summary, NamesAreUniqueAndAsManyAsColumns) {
  const auto& names = summary_names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(Row("matmul:m=72,n=256,k=1024", kTiled).size(), names.size());
}

TEST(Summary, KnowsTheTilesOfTheHeaviestStatement) {
  const Row row("matmul:m=72,n=256,k=1024", kTiled);
  EXPECT_EQ(row.at("main.executions"), amount(72.0 * 256 * 1024));
  EXPECT_EQ(row.at("main.parallel"), amount(96));
  EXPECT_EQ(row.at("main.busy_share"), 1);
  EXPECT_EQ(row.at("main.vector"), amount(32));
  EXPECT_EQ(row.at("main.register_rows"), amount(6));
  EXPECT_EQ(row.at("main.accumulators"), amount(12));
  EXPECT_EQ(row.at("main.reduction"), amount(1024));
  EXPECT_EQ(row.at("main.inner_reduction"), amount(1024));
  EXPECT_EQ(row.at("main.unrolled"), amount(192));
  EXPECT_EQ(row.at("main.loop0"), amount(32));
  EXPECT_EQ(row.at("main.loop2"), amount(1024));
  EXPECT_EQ(row.at("main.is_reduced2"), 1);
  EXPECT_EQ(row.at("main.tile0.bytes"), amount(4 * (6 * 32 + 6 + 32)));
  EXPECT_EQ(row.at("main.tile1.bytes"), amount(4 * (6 * 32 + 1024 * (6 + 32))));
  EXPECT_EQ(row.at("main.operand0.bytes2"), amount(4 * 6 * 32));
  EXPECT_EQ(row.at("main.operand0.vector_stride"), amount(1));
  EXPECT_EQ(row.at("main.operand1.vector_stride"), amount(0));
}

TEST(Summary, TellsWhatIsDoneByOneCore) {
  const Row alone("matmul:m=72,n=256,k=1024", "[]");
  EXPECT_EQ(alone.at("parallel_loops"), 0);
  EXPECT_EQ(alone.at("serial_work"), alone.at("work"));
  EXPECT_EQ(alone.at("scalar_work"), alone.at("work"));
  const Row shared("matmul:m=72,n=256,k=1024", kTiled);
  EXPECT_EQ(shared.at("serial_work"), 0);
  EXPECT_LT(shared.at("critical_work"), alone.at("critical_work") - 5);
  EXPECT_LT(shared.at("code.all.cycles"), alone.at("code.all.cycles"));
}

// A producer that is computed at its reader's innermost loop does its work again and again.
TEST(Summary, TellsWhatIsDoneAgain) {
  const char* const op = "conv2d:n=1,ci=16,hw=16,co=16,k=3,s=1,p=1,layout=nhwc";
  EXPECT_EQ(Row(op, "[]").at("repeated"), 0);
  EXPECT_GT(Row(op, R"([["CA", 1, 3, 6]])").at("repeated"), 0.5F);
}

}  // namespace
}  // namespace hone::feature
