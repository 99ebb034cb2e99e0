// Every way to work a convolution or a product out gives the same answer.
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
      {"blocked",
       window({3, 3}, 1, Layout::Blocked),
       {2, 2, 9, 7, 4},
       {2, 2, 3, 3, 4, 8},
       {2, 1, 1, 8},
       winograd},
      {"pixels_of_blocks",
       window({1, 1}, 0, Layout::Blocked),
       {1, 2, 5, 7, 4},
       {2, 2, 1, 1, 4, 8},
       {2, 1, 1, 8},
       {Direct}},
      {"volume_blocked",
       window({3, 3, 3}, 1, Layout::Blocked),
       {1, 1, 4, 8, 6, 3},
       {2, 1, 3, 3, 3, 3, 4},
       {2, 1, 1, 1, 4},
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

// The graph is a convolution or product and two maps behind it.
template <class Anchor>
void expect_same_answers(graph::Graph graph, const std::vector<Algorithm>& wanted) {
  const std::vector<Algorithm> algorithms = graph::algorithms(graph, graph.nodes.front());
  EXPECT_EQ(algorithms, wanted);
  std::string last_key;
  for (const Algorithm algorithm : algorithms) {
    std::get<Anchor>(graph.nodes.front().op).algorithm = algorithm;
    constexpr double kSlack = 16;  // sums of inputs and of products multiply rounding errors
    const Outcome outcome = run_groups(graph, random_inputs(graph, 3), target::host(),
                                       graph::is_exact(algorithm) ? 1 : kSlack);
    EXPECT_EQ(outcome.fault, "") << graph::name_of(algorithm);
    EXPECT_EQ(outcome.kernels, 1);
    const std::string key = task::canonical_key(task::from_graph(graph, {{0, 1, 2}}).task);
    EXPECT_NE(key, last_key) << graph::name_of(algorithm) << " is the same task";
    last_key = key;
  }
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
  expect_same_answers<graph::Conv>(graph, subject.algorithms);
}

class Products : public testing::TestWithParam<bool> {};

TEST_P(Products, GiveTheSameAnswer) {
  const bool has_residual = GetParam();
  graph::Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, {2, 17, 258}});
  const ValueId w = builder.constant(random_tensor({Scalar::F32, {258, 300}}, 5, 1));
  const ValueId product = builder.apply("product", graph::MatMul{}, {x, w});
  const ValueId bias = builder.constant(random_tensor({Scalar::F32, {300}}, 5, 2));
  const ValueId sum = builder.binary("sum", ir::BinaryOp::Add, product, bias);
  const ValueId last = has_residual ? builder.binary("residual", ir::BinaryOp::Add, sum,
                                                     builder.input("y", {Scalar::F32, {2, 17, 300}}))
                                    : builder.unary("tanh", ir::Function::Tanh, sum);
  expect_same_answers<graph::MatMul>(builder.finish({last}), {Algorithm::Direct, Algorithm::Strassen});
}

TEST(ProductsAlone, ByStrassenNeedNothingBehindThem) {
  graph::Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, {34, 258}});
  const ValueId w = builder.constant(random_tensor({Scalar::F32, {258, 300}}, 5, 1));
  const graph::Graph graph = builder.finish(
      {builder.apply("product", graph::MatMul{.algorithm = Algorithm::Strassen}, {x, w})});
  EXPECT_EQ(run_groups(graph, random_inputs(graph, 3), target::host(), 16).fault, "");
}

INSTANTIATE_TEST_SUITE_P(groups, Products, testing::Bool(),
                         [](const auto& test) { return test.param ? "residual" : "tanh"; });

struct Transposed {
  std::string name;
  graph::Window window;
  Shape image, weight, bias;
};

std::vector<Transposed> transposed_cases() {
  using enum Layout;
  const auto of = [](std::vector<std::int64_t> kernel, std::vector<std::int64_t> strides,
                     std::vector<std::int64_t> before, std::vector<std::int64_t> after, Layout layout) {
    const std::vector<std::int64_t> ones(kernel.size(), 1);
    return graph::Window{kernel, strides, ones, before, after, layout};
  };
  return {
      {"picture", of({4, 4}, {2, 2}, {1, 1}, {1, 1}, ChannelsLast), {2, 5, 6, 7}, {4, 4, 7, 3}, {3}},
      {"picture_first",
       of({4, 4}, {2, 2}, {1, 1}, {1, 1}, ChannelsFirst),
       {2, 7, 5, 6},
       {7, 3, 4, 4},
       {3, 1, 1}},
      {"without_overlap",
       of({2, 2}, {2, 2}, {0, 0}, {0, 0}, ChannelsLast),
       {1, 5, 4, 9},
       {2, 2, 9, 17},
       {17}},
      {"odd_output", of({3, 5}, {2, 3}, {1, 0}, {1, 1}, ChannelsLast), {1, 5, 4, 6}, {3, 5, 6, 5}, {5}},
      {"odd_output_first",
       of({5, 3}, {3, 2}, {2, 1}, {0, 0}, ChannelsFirst),
       {1, 6, 4, 5},
       {6, 5, 5, 3},
       {5, 1, 1}},
      {"gaps", of({1, 2}, {2, 3}, {0, 1}, {0, 0}, ChannelsLast), {1, 5, 4, 6}, {1, 2, 6, 4}, {4}},
      {"added_border",
       of({3, 3}, {2, 2}, {-1, 0}, {0, -3}, ChannelsLast),
       {1, 4, 4, 5},
       {3, 3, 5, 2},
       {2}},
      {"wide_padding",
       of({5, 7}, {2, 2}, {4, 5}, {4, 6}, ChannelsLast),
       {1, 8, 9, 5},
       {5, 7, 5, 3},
       {3}},
      {"one_stride", of({3, 4}, {1, 4}, {1, 0}, {1, 0}, ChannelsLast), {2, 5, 4, 6}, {3, 4, 6, 3}, {3}},
      {"sound", of({16}, {8}, {4}, {4}, ChannelsFirst), {1, 6, 20}, {6, 2, 16}, {2, 1}},
      {"sound_last", of({5}, {2}, {2}, {1}, ChannelsLast), {2, 9, 6}, {5, 6, 2}, {2}},
      {"volume",
       of({3, 4, 2}, {2, 2, 1}, {1, 1, 0}, {0, 1, 0}, ChannelsLast),
       {1, 3, 4, 5, 4},
       {3, 4, 2, 4, 3},
       {3}},
      {"volume_first",
       of({2, 4, 3}, {1, 2, 2}, {0, 1, 1}, {0, 1, 1}, ChannelsFirst),
       {1, 4, 3, 4, 5},
       {4, 3, 2, 4, 3},
       {3, 1, 1, 1}},
  };
}

class SubPixels : public testing::TestWithParam<std::size_t> {};

TEST_P(SubPixels, GiveTheSameAnswer) {
  const Transposed subject = transposed_cases()[GetParam()];
  graph::Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, subject.image});
  const ValueId w = builder.constant(random_tensor({Scalar::F32, subject.weight}, 5, 1));
  const ValueId conv = builder.apply("conv", graph::ConvTranspose{subject.window}, {x, w});
  const ValueId bias = builder.constant(random_tensor({Scalar::F32, subject.bias}, 5, 2));
  const ValueId sum = builder.binary("sum", ir::BinaryOp::Add, conv, bias);
  graph::Graph graph = builder.finish({builder.unary("tanh", ir::Function::Tanh, sum)});
  expect_same_answers<graph::ConvTranspose>(graph, {Algorithm::Direct, Algorithm::SubPixel});
}

INSTANTIATE_TEST_SUITE_P(groups, Algorithms, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& test) { return cases()[test.param].name; });

INSTANTIATE_TEST_SUITE_P(groups, SubPixels, testing::Range<std::size_t>(0, transposed_cases().size()),
                         [](const auto& test) { return transposed_cases()[test.param].name; });

}  // namespace
}  // namespace hone::groups
