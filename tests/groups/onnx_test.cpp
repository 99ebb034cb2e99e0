// The ONNX node tests that the definition passes are passed by compiled groups, too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/passes.h"
#include "tests/groups/group_run.h"
#include "tests/onnx/conformance.h"
#include "tests/shared_data.h"

namespace hone::groups {
namespace {

constexpr int kShards = 8;

class OnnxNodes : public testing::TestWithParam<int> {};

TEST_P(OnnxNodes, PassWhenCompiled) {
  const std::filesystem::path folder = onnx_node_tests();
  HONE_REQUIRE(!folder.empty(), "the package libonnx-testdata is not installed");
  const target::Target target = target::host();
  int kernels = 0;
  const auto compiled = [&](const graph::Graph& graph, std::span<const graph::Tensor> inputs) {
    const graph::Graph better = graph::run_passes(graph);
    const Outcome outcome = run_groups(better, {inputs.begin(), inputs.end()}, target);
    kernels += outcome.kernels;
    if (!outcome.fault.empty()) throw UserError("compiled: " + outcome.fault);
    return graph::evaluate(better, inputs);
  };
  std::vector<std::filesystem::path> tests(std::filesystem::directory_iterator(folder), {});
  std::ranges::sort(tests);
  int passed = 0;
  for (std::size_t i = static_cast<std::size_t>(GetParam()); i < tests.size(); i += kShards) {
    if (!run_onnx_test(tests[i]).problem.empty()) continue;
    EXPECT_EQ(run_onnx_test(tests[i], compiled).problem, "") << tests[i].filename();
    ++passed;
  }
  fmt::print("{} tests, {} kernels\n", passed, kernels);
  EXPECT_GT(passed, 0);
}

INSTANTIATE_TEST_SUITE_P(groups, OnnxNodes, testing::Range(0, kShards));

}  // namespace
}  // namespace hone::groups
