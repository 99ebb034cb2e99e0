// ONNX's own tests of its operators: a model, inputs and what they must give, a folder each.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace hone {

// Where the package libonnx-testdata puts them; empty when it is not installed.
std::filesystem::path onnx_node_tests();

struct Outcome {
  std::string test;
  std::string problem;  // why it does not pass; empty when it does
};

// Reads the model, evaluates it on every data set and compares. An input that the reader asks to be
// told of (`--bind`) is bound, as its hint says.
Outcome run_onnx_test(const std::filesystem::path& folder);

// How many pass, then those that do not, by reason.
std::string report(const std::vector<Outcome>& outcomes);

}  // namespace hone
