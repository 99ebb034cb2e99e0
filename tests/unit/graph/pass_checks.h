// What tests of passes look at: the operators that are left, and that they compute the same.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "graph/builder.h"
#include "graph/evaluate.h"
#include "graph/passes.h"
#include "graph/print.h"
#include "graph/verify.h"
#include "tests/tensors.h"

namespace hone::graph {

using Lines = std::vector<std::string>;

// One line a node, as print gives the operator.
inline Lines operators(const Graph& graph) {
  Lines lines;
  for (const Node& node : graph.nodes) lines.push_back(print(node.op));
  return lines;
}

inline std::size_t count(const Graph& graph, std::string_view name) {
  return static_cast<std::size_t>(
      std::ranges::count_if(graph.nodes, [&](const Node& node) { return name_of(node.op) == name; }));
}

inline std::vector<Tensor> random_inputs(const Graph& graph) {
  std::vector<Tensor> inputs;
  for (const ValueId id : graph.inputs) {
    const ValueType& type = graph.values[static_cast<std::size_t>(id)].type;
    inputs.push_back(test::random_tensor(type.type, type.shape, 7, inputs.size()));
  }
  return inputs;
}

// Names and types of inputs and outputs are the network's contract with its callers.
inline void expect_same_ports(const Graph& a, const Graph& b) {
  const auto ports = [](const Graph& graph, const std::vector<ValueId>& ids) {
    Lines lines;
    for (const ValueId id : ids) {
      const Value& value = graph.values[static_cast<std::size_t>(id)];
      lines.push_back(value.name + " " + print(value.type));
    }
    return lines;
  };
  EXPECT_EQ(ports(a, a.inputs), ports(b, b.inputs));
  EXPECT_EQ(ports(a, a.outputs), ports(b, b.outputs));
}

// Both graphs give the same for the inputs, but for the rounding that another order of sums brings.
inline void expect_same_results(const Graph& a, const Graph& b, const std::vector<Tensor>& inputs) {
  expect_same_ports(a, b);
  const std::vector<Tensor> wanted = evaluate(a, inputs), got = evaluate(b, inputs);
  ASSERT_EQ(wanted.size(), got.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::vector<double> x = test::numbers(wanted[i]), y = test::numbers(got[i]);
    ASSERT_EQ(x.size(), y.size());
    double most = 1e-3;
    for (const double number : x)
      most = std::isfinite(number) ? std::max(most, std::abs(number)) : most;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const bool is_same = x[k] == y[k] || (std::isnan(x[k]) && std::isnan(y[k])) ||
                           std::abs(x[k] - y[k]) <= 1e-4 * most;
      ASSERT_TRUE(is_same) << "output " << i << " element " << k << ": " << x[k] << " became " << y[k];
    }
  }
}

inline void expect_same_results(const Graph& a, const Graph& b) {
  expect_same_results(a, b, random_inputs(a));
}

// The graph after a pass that must keep what it computes and has nothing left to do afterwards.
inline Graph after(Graph (*pass)(const Graph&), const Graph& graph) {
  const Graph result = pass(graph);
  verify(result);
  expect_same_results(graph, result);
  EXPECT_EQ(operators(pass(result)), operators(result)) << "a second run changes something";
  return result;
}

inline ValueType f32_type(Shape shape) { return {ir::Scalar::F32, std::move(shape)}; }

// A constant of random elements.
inline ValueId weights(Builder& builder, Shape shape, std::uint64_t seed = 1) {
  return builder.constant(test::random_tensor(ir::Scalar::F32, std::move(shape), seed));
}

// The same in all of the spatial dimensions.
inline Window square(std::size_t dimensions, std::int64_t kernel, std::int64_t stride = 1,
                     std::int64_t padding = 0) {
  using Numbers = std::vector<std::int64_t>;
  return {Numbers(dimensions, kernel), Numbers(dimensions, stride), Numbers(dimensions, 1),
          Numbers(dimensions, padding), Numbers(dimensions, padding)};
}

}  // namespace hone::graph
