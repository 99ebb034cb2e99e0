// Operator by operator: small graphs whose groups are compiled and compared with the definition.
#include <gtest/gtest.h>

#include "tests/groups/operator_cases.h"

namespace hone::groups {
namespace {

class Operators : public testing::TestWithParam<OperatorCase> {};

TEST_P(Operators, ComputeWhatTheGraphSays) {
  GraphDraft draft;
  const std::vector<graph::ValueId> outputs = GetParam().make(draft);
  const graph::Graph graph = draft.builder().finish(outputs);
  const Outcome outcome = run_groups(graph, random_inputs(graph, 3), target::host());
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.kernels, GetParam().kernels);
}

const auto kName = [](const testing::TestParamInfo<OperatorCase>& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(windows, Operators, testing::ValuesIn(window_cases()), kName);
INSTANTIATE_TEST_SUITE_P(compute, Operators, testing::ValuesIn(compute_cases()), kName);
INSTANTIATE_TEST_SUITE_P(moves, Operators, testing::ValuesIn(move_cases()), kName);

}  // namespace
}  // namespace hone::groups
