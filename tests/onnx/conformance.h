// ONNX's own tests of its operators: a model, inputs and what they must give, a folder each.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace hone {

// Where the package libonnx-testdata puts them; empty when it is not installed.
std::filesystem::path onnx_node_tests();

struct Outcome {
  std::string test;
  std::string problem;  // why it does not pass; empty when it does
};

using Evaluate = std::function<std::vector<model::Tensor>(const graph::Graph& graph,
                                                          std::span<const model::Tensor> inputs)>;

// Reads the model, evaluates it on every data set and compares. An input that the reader asks to be
// told of (`--bind`) is bound, as its hint says.
Outcome run_onnx_test(const std::filesystem::path& folder, const Evaluate& evaluate);
Outcome run_onnx_test(const std::filesystem::path& folder);  // by the definition

// How many pass, then those that do not, by reason.
std::string report(const std::vector<Outcome>& outcomes);

}  // namespace hone
