// Every way to work a convolution out gives the same answer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/algorithms.h"
#include "graph/builder.h"
#include "task/from_graph.h"
#include "task/key.h"
#include "tests/groups/group_run.h"

namespace hone::groups {
namespace {

using graph::Algorithm;
using graph::Layout;
using graph::Shape;
using graph::ValueId;
using ir::Scalar;

struct Case {
  std::string name;
  graph::Window window;
  Shape image, weight, bias;
  std::vector<Algorithm> algorithms;
};

graph::Window window(std::vector<std::int64_t> kernel, std::int64_t padding, Layout layout) {
  const std::size_t n = kernel.size();
  return {std::move(kernel),       std::vector<std::int64_t>(n, 1), std::vector<std::int64_t>(n, 1),
          std::vector(n, padding), std::vector(n, padding),         layout};
}

std::vector<Case> cases() {
  using enum Algorithm;
  const std::vector<Algorithm> winograd = {Direct, Winograd2, Winograd4}, product = {Direct, MatMul};
  graph::Window strided = window({3, 3, 3}, 1, Layout::ChannelsLast);
  strided.strides[0] = 2;
  graph::Window dilated = window({2, 3, 3}, 1, Layout::ChannelsLast);
  dilated.dilations[0] = 2;
  graph::Window uneven = window({3, 3}, 1, Layout::ChannelsLast);
  uneven.after = {0, 2};
  return {
      {"rows", window({1, 1}, 0, Layout::ChannelsLast), {2, 5, 7, 6}, {1, 1, 6, 19}, {19}, product},
      {"columns",
       window({1, 1}, 0, Layout::ChannelsFirst),
       {2, 6, 5, 7},
       {19, 6, 1, 1},
       {19, 1, 1},
       product},
      {"one_column", window({1}, 0, Layout::ChannelsFirst), {1, 6, 35}, {8, 6, 1}, {8, 1}, product},
      {"last", window({3, 3}, 1, Layout::ChannelsLast), {2, 9, 7, 5}, {3, 3, 5, 16}, {16}, winograd},
      {"first",
       window({3, 3}, 1, Layout::ChannelsFirst),
       {2, 5, 9, 7},
       {16, 5, 3, 3},
       {16, 1, 1},
       winograd},
      {"uneven", uneven, {1, 9, 7, 5}, {3, 3, 5, 17}, {17}, winograd},
      {"volume",
       window({3, 3, 3}, 1, Layout::ChannelsLast),
       {2, 4, 8, 6, 3},
       {3, 3, 3, 3, 8},
       {8},
       winograd},
      {"volume_first",
       window({3, 3, 3}, 1, Layout::ChannelsFirst),
       {1, 3, 4, 8, 6},
       {8, 3, 3, 3, 3},
       {8, 1, 1, 1},
       winograd},
      {"strided_volume", strided, {2, 5, 8, 6, 3}, {3, 3, 3, 3, 8}, {8}, winograd},
      {"dilated_volume", dilated, {2, 5, 8, 6, 3}, {2, 3, 3, 3, 8}, {8}, winograd},
  };
}

class Algorithms : public testing::TestWithParam<std::size_t> {};

TEST_P(Algorithms, GiveTheSameAnswer) {
  const Case subject = cases()[GetParam()];
  graph::Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, subject.image});
  const ValueId w = builder.constant(random_tensor({Scalar::F32, subject.weight}, 5, 1));
  const ValueId conv = builder.apply("conv", graph::Conv{subject.window}, {x, w});
  const ValueId bias = builder.constant(random_tensor({Scalar::F32, subject.bias}, 5, 2));
  const ValueId sum = builder.binary("sum", ir::BinaryOp::Add, conv, bias);
  graph::Graph graph =
      builder.finish({builder.apply("relu", graph::clip(Scalar::F32, 0, std::nullopt), {sum})});
  const std::vector<Algorithm> algorithms = graph::algorithms(graph, graph.nodes.front());
  EXPECT_EQ(algorithms, subject.algorithms);
  std::string last_key;
  for (const Algorithm algorithm : algorithms) {
    std::get<graph::Conv>(graph.nodes.front().op).algorithm = algorithm;
    constexpr double kWinogradSlack = 16;  // the transforms multiply rounding errors
    const bool is_winograd = algorithm == Algorithm::Winograd2 || algorithm == Algorithm::Winograd4;
    const Outcome outcome =
        run_groups(graph, random_inputs(graph, 3), target::host(), is_winograd ? kWinogradSlack : 1);
    EXPECT_EQ(outcome.fault, "") << graph::name_of(algorithm);
    EXPECT_EQ(outcome.kernels, 1);
    const std::string key = task::canonical_key(task::from_graph(graph, {{0, 1, 2}}).task);
    EXPECT_NE(key, last_key) << graph::name_of(algorithm) << " is the same task";
    last_key = key;
  }
}

INSTANTIATE_TEST_SUITE_P(groups, Algorithms, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& test) { return cases()[test.param].name; });

}  // namespace
}  // namespace hone::groups
