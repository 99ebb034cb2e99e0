#include "conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/from_model.h"
#include "graph/onnx/operator_uses.h"
#include "graph/onnx/reading.h"
#include "graph/print.h"
#include "graph/verify.h"
#include "model/read.h"
#include "model/tensor_file.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using model::Tensor;

// As ONNX's own runner compares, but for bfloat16: it takes their bits for whole numbers, which allows
// many units in the last place. One is what data need that were cut off where ONNX now rounds.
constexpr double kAbsolute = 1e-7, kRelative = 1e-3, kRelativeOfBfloat16 = 0x1p-7;

std::vector<Tensor> read_tensors(const fs::path& folder, const char* role,
                                 const std::vector<model::Port>& ports) {
  std::vector<Tensor> tensors;
  for (const model::Port& port : ports) {
    Tensor tensor =
        model::read_tensors(folder / fmt::format("{}_{}.pb", role, tensors.size())).front().tensor;
    // The data were made where bfloat16 did not exist: its bits stand there as uint16.
    if (port.type == ir::Scalar::BF16 && tensor.type() == ir::Scalar::U16)
      tensor = {port.type, tensor.shape(), tensor.bytes(), std::make_shared<Tensor>(tensor)};
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

// The name in a hint of the form "... `--bind NAME=FILE`".
std::string asked_for(const std::string& hint) {
  const std::string option = "--bind ";
  const std::size_t begin = hint.find(option);
  if (begin == std::string::npos) return {};
  return hint.substr(begin + option.size(), hint.find('=', begin) - begin - option.size());
}

graph::Graph import_binding(const model::Model& model, const std::vector<Tensor>& inputs) {
  graph::ImportOptions options;
  while (true) {
    try {
      return graph::from_model(model, options);
    } catch (const UserError& error) {
      const std::string name = asked_for(error.hint());
      const auto port = std::ranges::find(model.inputs, name, &model::Port::name);
      if (port == model.inputs.end() || options.bound.contains(name)) throw;
      options.bound.emplace(name, inputs[static_cast<std::size_t>(port - model.inputs.begin())]);
    }
  }
}

// Empty when the two agree.
std::string difference(const Tensor& actual, const Tensor& expected) {
  const graph::ValueType ours{actual.type(), actual.shape()}, theirs{expected.type(), expected.shape()};
  if (ours != theirs) return fmt::format("gives {}, not {}", graph::print(ours), graph::print(theirs));
  const double relative = expected.type() == ir::Scalar::BF16 ? kRelativeOfBfloat16 : kRelative;
  const std::vector<double> a = graph::onnx::numbers_of(actual), b = graph::onnx::numbers_of(expected);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool both_nan = std::isnan(a[i]) && std::isnan(b[i]);
    if (a[i] == b[i] || both_nan || std::abs(a[i] - b[i]) <= kAbsolute + relative * std::abs(b[i]))
      continue;
    return fmt::format("gives {} at {} of {}, not {}", a[i], i, graph::print(ours), b[i]);
  }
  return {};
}

std::string problem_on(model::Model model, const fs::path& data, const Evaluate& evaluate) {
  const std::vector<Tensor> inputs = read_tensors(data, "input", model.inputs);
  // Where model and data differ, runtimes take the shapes of the data.
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto& shape = model.inputs[i].shape.emplace();
    for (const std::int64_t extent : inputs[i].shape()) shape.push_back({extent, ""});
  }
  const graph::Graph graph = import_binding(model, inputs);
  graph::verify(graph);
  std::vector<Tensor> given;
  for (const graph::ValueId id : graph.inputs) {
    const auto& name = graph.values[static_cast<std::size_t>(id)].name;
    const auto port = std::ranges::find(model.inputs, name, &model::Port::name);
    given.push_back(inputs[static_cast<std::size_t>(port - model.inputs.begin())]);
  }
  const std::vector<Tensor> outputs = evaluate(graph, given);
  const std::vector<Tensor> expected = read_tensors(data, "output", model.outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (const std::string text = difference(outputs[i], expected[i]); !text.empty())
      return fmt::format("`{}` {}", model.outputs[i].name, text);
  }
  return {};
}

// The operators that stand in the way, so that all tests of one stand together.
std::string unreadable(const model::Model& model) {
  std::string names;
  for (const auto& use : graph::onnx::operator_uses(model.graph)) {
    if (!use.is_readable) names += (names.empty() ? "" : ", ") + use.op;
  }
  return names;
}

std::string problem_of(const fs::path& folder, const Evaluate& evaluate) {
  std::string operators;
  try {
    const model::Model model = model::read(folder / "model.onnx");
    operators = unreadable(model);
    for (int set = 0; fs::exists(folder / fmt::format("test_data_set_{}", set)); ++set) {
      const std::string problem =
          problem_on(model, folder / fmt::format("test_data_set_{}", set), evaluate);
      if (!problem.empty()) return problem;
    }
  } catch (const UserError& error) {
    return operators.empty() ? error.what() : "operators that are not read: " + operators;
  }
  return {};
}

}  // namespace

fs::path onnx_node_tests() {
  const fs::path folder = "/usr/share/libonnx-testdata/data/node";
  return fs::exists(folder) ? folder : fs::path();
}

Outcome run_onnx_test(const fs::path& folder) {
  return run_onnx_test(folder, [](const graph::Graph& graph, std::span<const Tensor> inputs) {
    return graph::evaluate(graph, inputs);
  });
}

Outcome run_onnx_test(const fs::path& folder, const Evaluate& evaluate) {
  std::string problem = problem_of(folder, evaluate);
  // Messages name the file, which is another one on every machine and in every test.
  for (const std::string& name : {(folder / "model.onnx").string(), folder.string()}) {
    for (std::size_t at = problem.find(name); at != std::string::npos; at = problem.find(name))
      problem.replace(at, name.size(), "model.onnx");
  }
  return {folder.filename().string(), problem};
}

std::string report(const std::vector<Outcome>& outcomes) {
  std::map<std::string, std::vector<std::string>> by_problem;
  std::size_t passed = 0;
  for (const Outcome& outcome : outcomes) {
    if (outcome.problem.empty())
      ++passed;
    else
      by_problem[outcome.problem].push_back(outcome.test);
  }
  std::string text = fmt::format("{} of {} pass\n", passed, outcomes.size());
  for (const auto& [problem, tests] : by_problem) {
    text += fmt::format("\n{}\n", problem);
    for (const std::string& test : tests) text += fmt::format("  {}\n", test);
  }
  return text;
}

}  // namespace hone
