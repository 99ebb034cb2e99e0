#include "feature/code_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "feature/cpu_rows.h"
#include "feature/usual_machine.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::feature {
namespace {

constexpr std::int64_t kCpu[] = {2, 64, 64, 0, 0, 0, 0, 0};

// A product by packed weights, one row of a tile after the other, and what is done with it.
Replayed product(const char* steps) {
  return {std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=128,k=256+bias+relu")),
          schedule::steps_from_json(steps), space::hardware_from(kCpu)};
}
constexpr const char* kTiled =
    R"([["SP", 2, 0, 64, [4], 1], ["SP", 2, 2, 128, [32], 1], ["RE", 2, [0, 2, 4, 1, 3]], ["AN", 2, 3, 2]])";

float at(const std::vector<float>& row, const std::string& name) {
  const auto& names = code_row_names();
  const auto found = std::ranges::find(names, name);
  EXPECT_NE(found, names.end()) << name;
  return found == names.end() ? 0 : row[static_cast<std::size_t>(found - names.begin())];
}

TEST(CodeRow, NamesAreUniqueAndAsManyAsColumns) {
  const auto& names = code_row_names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(code_row(product(kTiled)).size(), names.size());
}

TEST(CodeRow, HasTheEstimateThatSearchBeginsWith) {
  for (const char* const steps : {kTiled, "[]"}) {
    const Replayed program = product(steps);
    const Rows rows = cpu_rows(program, usual_machine(program.hardware()));
    double cycles = 0;
    for (std::size_t i = 0; i < rows.values.size(); i += kCpuColumns)
      cycles += std::exp2(rows.values[i + cpu_column(CodeColumn::Cycles)]) - 1;
    const std::vector<float> row = code_row(program);
    EXPECT_NEAR(std::exp2(row[code_row_cycles()]) - 1, cycles, 1e-4 * cycles) << steps;
    EXPECT_EQ(row[code_row_cycles()], at(row, "cycles"));
  }
}

TEST(CodeRow, TheHeaviestStatementComesFirst) {
  const std::vector<float> row = code_row(product(kTiled));
  EXPECT_GT(at(row, "statement0.share"), at(row, "statement1.share"));
  EXPECT_GE(at(row, "statement1.share"), at(row, "statement2.share"));
  EXPECT_LE(at(row, "statement0.share") + at(row, "statement1.share") + at(row, "statement2.share"),
            1.0001F);
  EXPECT_GT(at(row, "statement0.accumulators"), 0) << "the sum, not the bias";
}

}  // namespace
}  // namespace hone::feature
