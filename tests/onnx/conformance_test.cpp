// The ONNX node tests that pass go on passing, and what does not is known with its reason.
#include "conformance.h"
#include "tests/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace hone {
namespace {

TEST(OnnxConformance, PassesAllNodeTestsButTheListedOnes) {
  const std::filesystem::path folder = onnx_node_tests();
  HONE_REQUIRE(!folder.empty(), "the package libonnx-testdata is not installed");
  std::vector<Outcome> outcomes;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    outcomes.push_back(run_onnx_test(entry.path()));
  std::ranges::sort(outcomes, {}, &Outcome::test);
  std::ifstream golden(HONE_SOURCE_DIR "/tests/onnx/conformance.txt");
  const std::string expected{std::istreambuf_iterator<char>(golden), {}};
  EXPECT_EQ(report(outcomes), expected)
      << "when this is an improvement, renew the file with report_conformance";
  EXPECT_GE(std::ranges::count(outcomes, "", &Outcome::problem), 600);
}

}  // namespace
}  // namespace hone
