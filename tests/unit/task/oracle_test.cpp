// What TVM says about its own small computations: shapes, hints, FLOP counts, values of constants.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "task/analysis.h"
#include "task/key.h"
#include "tests/shared_data.h"
#include "tests/unit/task/workloads.h"

namespace hone::task {
namespace {

void expect_same_facts(const Task& task, const std::vector<OpFacts>& facts) {
  const std::vector<OpFacts> found = context_of(task).ops;
  ASSERT_EQ(found.size(), facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    EXPECT_EQ(found[i].name, facts[i].name);
    EXPECT_EQ(found[i].shape, facts[i].shape) << facts[i].name;
    EXPECT_EQ(found[i].reduce, facts[i].reduce) << facts[i].name;
  }
}

TEST(task_oracle, EveryDagPrintsAsItWasWithItsFlopCount) {
  HONE_REQUIRE_FILE(oracle_file());
  int n_dags = 0;
  for_each_object(oracle_file(), [&](const simdjson::dom::element& entry) {
    SCOPED_TRACE(text_at(entry, "name"));
    const Task task = parse(text_at(entry, "dag"), {"", facts_at(entry)});
    EXPECT_EQ(print_as_tvm(task), text_at(entry, "dag"));
    EXPECT_EQ(flop_count(task), double(entry["flop"]));
    expect_same_facts(task, facts_at(entry));
    ++n_dags;
  });
  EXPECT_GT(n_dags, 0);
}

// Strided windows may leave their size open, so inference may miss one now and then; it never fails.
TEST(task_oracle, ShapesFollowFromTheKey) {
  HONE_REQUIRE_FILE(oracle_file());
  int n_right = 0, n_dags = 0;
  for_each_object(oracle_file(), [&](const simdjson::dom::element& entry) {
    SCOPED_TRACE(text_at(entry, "name"));
    const Task task = parse(text_at(entry, "dag"), {"", facts_at(entry)});
    const Task inferred = parse(text_at(entry, "dag"), {tvm_key(task), {}});
    n_right += canonical_key(inferred) == canonical_key(task);
    ++n_dags;
  });
  EXPECT_GE(n_right, n_dags * 9 / 10);
}

// A value of the constant matrix, looked up as its body does: the first condition that holds decides.
double entry_of(const Op& matrix, std::int64_t row, std::int64_t column) {
  ir::Expr rest = matrix.body.front();
  for (const auto* entry = rest.as<ir::Select>(); entry; entry = rest.as<ir::Select>()) {
    const auto* both = entry->condition.as<ir::Binary>();
    const bool is_here =
        ir::is_int(both->a.as<ir::Binary>()->b, row) && ir::is_int(both->b.as<ir::Binary>()->b, column);
    if (is_here) return entry->then_value.as<ir::FloatImm>()->value;
    rest = entry->else_value;
  }
  return NAN;
}

TEST(task_oracle, CutMatricesHaveTheirValuesAndHints) {
  HONE_REQUIRE_FILE(oracle_file());
  int n_matrices = 0;
  for_each_object(oracle_file(), [&](const simdjson::dom::element& entry) {
    simdjson::dom::object constants;
    if (entry["constants"].get(constants) != simdjson::SUCCESS) return;
    const Task task = parse(text_at(entry, "dag"), {"", facts_at(entry)});
    for (const Op& op : task.ops) {
      simdjson::dom::array rows;
      const bool is_constant = constants[op.name()].get(rows) == simdjson::SUCCESS;
      EXPECT_EQ(op.hints.const_matrix, is_constant) << op.name();
      if (!is_constant) continue;
      ++n_matrices;
      std::int64_t i = 0;
      for (const simdjson::dom::element row : rows) {
        std::int64_t j = 0;
        for (const double value : row)
          EXPECT_EQ(entry_of(op, i, j++), value) << op.name() << i << "," << j;
        ++i;
      }
    }
    const std::map<std::string, std::vector<std::string>> unrolled = {
        {"data_pack", {"eps", "nu", "r_a", "r_b"}}, {"inverse", {"vh", "vw", "r_a", "r_b"}}};
    for (const Op& op : task.ops) {
      const auto expected = unrolled.find(op.name());
      EXPECT_EQ(op.hints.simplify_const_tensor_indices,
                expected == unrolled.end() ? std::vector<std::string>{} : expected->second)
          << op.name();
    }
  });
  EXPECT_GT(n_matrices, 0);
}

}  // namespace
}  // namespace hone::task
