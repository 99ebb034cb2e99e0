// Prints which of ONNX's node tests pass and why the others do not: the text that conformance.txt
// holds.
#include <fmt/format.h>

#include <algorithm>

#include "conformance.h"

int main(int argc, char** argv) {
  const std::filesystem::path folder = hone::onnx_node_tests();
  if (folder.empty()) {
    fmt::print(stderr, "the package libonnx-testdata is not installed\n");
    return 2;
  }
  std::vector<hone::Outcome> outcomes;
  for (int i = 1; i < argc; ++i) outcomes.push_back(hone::run_onnx_test(folder / argv[i]));
  if (argc < 2) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      outcomes.push_back(hone::run_onnx_test(entry.path()));
  }
  std::ranges::sort(outcomes, {}, &hone::Outcome::test);
  fmt::print("{}", hone::report(outcomes));
  return 0;
}
