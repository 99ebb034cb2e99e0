#include "feature/primitive_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::feature {
namespace {

class Rows {
 public:
  Rows(const char* op, const char* steps)
      : noted_(replay_noted(std::make_shared<const task::Task>(task::from_op(op)),
                            schedule::steps_from_json(steps))),
        values_(primitive_rows(noted_, loop_tree(noted_.state))) {}

  float at(std::size_t step, std::string_view name) const {
    const auto& names = primitive_row_names();
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return values_[step * names.size() + static_cast<std::size_t>(found - names.begin())];
  }
  std::size_t size() const { return values_.size() / primitive_row_names().size(); }

 private:
  NotedState noted_;
  std::vector<float> values_;
};

float amount(double value) { return static_cast<float>(std::log2(1 + value)); }

constexpr const char* kMatmul = "matmul:m=512,n=256,k=1024";

TEST(PrimitiveRows, NamesAreUniqueAndEveryStepHasARow) {
  const auto& names = primitive_row_names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(Rows(kMatmul, R"([["SP", 2, 0, 512, [4, 2, 8], 1], ["AN", 2, 0, 3]])").size(), 2U);
}

TEST(PrimitiveRows, SplitsHaveTheExtentsOfTheirLoops) {
  const Rows rows(kMatmul, R"([["SP", 2, 0, 512, [4, 2, 8], 1], ["SP", 2, 5, 1024, [16], 1]])");
  EXPECT_EQ(rows.at(0, "split"), 1);
  EXPECT_EQ(rows.at(0, "loop_extent"), amount(512));
  EXPECT_EQ(rows.at(0, "piece0"), amount(8));
  EXPECT_EQ(rows.at(0, "piece1"), amount(4));
  EXPECT_EQ(rows.at(0, "piece3"), amount(8));
  EXPECT_EQ(rows.at(0, "piece4"), -1);
  EXPECT_EQ(rows.at(0, "loop_is_spatial"), 1);
  EXPECT_EQ(rows.at(0, "axis_from_inside"), 1);
  EXPECT_EQ(rows.at(1, "loop_is_reduction"), 1);
  EXPECT_EQ(rows.at(1, "loop_is_spatial"), 0);
  EXPECT_EQ(rows.at(1, "overshoot"), 0);
}

TEST(PrimitiveRows, ASplitThatDoesNotComeOutEvenOvershoots) {
  const Rows rows(kMatmul, R"([["SP", 2, 0, 512, [384], 1]])");
  EXPECT_FLOAT_EQ(rows.at(0, "overshoot"), std::log2(1.5F));
}

// Following a split is resolved into numbers; so is what a stage computes where it is put.
TEST(PrimitiveRows, FollowedSplitsAndPlacesAreResolved) {
  const Rows rows(kMatmul,
                  R"([["CHW", 2, "local"], ["SP", 2, 0, 512, [4, 2, 8], 1],)"
                  R"( ["SP", 2, 4, 256, [1, 4, 16], 1], ["FSP", 3, 0, 1, 2], ["FSP", 3, 3, 2, 2],)"
                  R"( ["RE", 3, [0, 3, 1, 4, 2, 5]], ["CA", 2, 3, 3]])");
  EXPECT_EQ(rows.at(0, "stage_is_write_copy"), 1);
  EXPECT_EQ(rows.at(1, "stage_is_write_copy"), 1);
  EXPECT_EQ(rows.at(1, "stage_is_main"), 1);
  EXPECT_EQ(rows.at(3, "stage_is_output"), 1);
  EXPECT_EQ(rows.at(3, "piece0"), amount(8));
  EXPECT_EQ(rows.at(3, "piece1"), amount(4));
  EXPECT_EQ(rows.at(3, "piece2"), amount(16));
  EXPECT_EQ(rows.at(5, "piece0"), amount(64));  // the innermost of the order
  EXPECT_EQ(rows.at(5, "piece1"), amount(16));
  EXPECT_EQ(rows.at(6, "target_inside"), amount(16 * 64));
  EXPECT_EQ(rows.at(6, "bytes_at_target"), amount(16 * 64 * 4));
  EXPECT_EQ(rows.at(6, "stage_times"), amount(8 * 4 * 4));
}

TEST(PrimitiveRows, AnnotatedLoopsKnowTheirPlaceAndStrides) {
  const Rows rows(kMatmul, R"([["SP", 2, 1, 256, [16], 1], ["RE", 2, [0, 1, 3, 2]],)"
                           R"( ["FU", 2, [0, 1]], ["AN", 2, 0, 3], ["AN", 2, 2, 2],)"
                           R"( ["PR", 2, 0, "auto_unroll_max_step$64"]])");
  EXPECT_EQ(rows.at(2, "loop_extent"), amount(512 * 16));
  EXPECT_EQ(rows.at(3, "parallel"), 1);
  EXPECT_EQ(rows.at(3, "loop_outside"), amount(1));
  EXPECT_EQ(rows.at(3, "loop_inside"), amount(1024 * 16));
  EXPECT_EQ(rows.at(4, "vectorised"), 1);
  EXPECT_EQ(rows.at(4, "loop_extent"), amount(16));
  EXPECT_EQ(rows.at(4, "operands_in_a_row"), 2);
  EXPECT_EQ(rows.at(4, "operands_that_stay"), 1);
  EXPECT_EQ(rows.at(5, "unroll_steps"), amount(64));
}

// A step in the middle shifts the ids of the stages behind it.
TEST(PrimitiveRows, StagesKeepTheirRolesWhenOthersArePutIn) {
  const Rows rows(kMatmul,
                  R"([["SP", 2, 0, 512, [4], 1], ["CHR", 0, "global", [2]], ["AN", 3, 0, 3]])");
  EXPECT_EQ(rows.at(0, "stage_is_main"), 1);
  EXPECT_EQ(rows.at(0, "piece0"), amount(128));
  EXPECT_EQ(rows.at(1, "stage_is_read_copy"), 1);
  EXPECT_EQ(rows.at(2, "stage_is_output"), 1);
  EXPECT_EQ(rows.at(2, "parallel"), 1);
}

TEST(PrimitiveRows, APartialReductionKeepsWhatWasKnownOfItsSplit) {
  const Rows rows("norm:b=4,m=256,n=256",
                  R"([["SP", 1, 1, 256, [8], 1], ["RF", 1, 2, 1], ["AN", 1, 0, 3]])");
  EXPECT_EQ(rows.at(0, "piece0"), amount(32));
  EXPECT_EQ(rows.at(0, "piece1"), amount(8));
  EXPECT_EQ(rows.at(1, "stage_is_partial"), 1);
  EXPECT_EQ(rows.at(2, "stage_is_partial"), 1);
}

}  // namespace
}  // namespace hone::feature
