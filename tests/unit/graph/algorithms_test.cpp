#include "graph/algorithms.h"

#include <gtest/gtest.h>

#include "graph/evaluate.h"
#include "ir/arithmetic.h"
#include "tests/tensors.h"

namespace hone::graph {
namespace {

using enum Algorithm;
using All = std::vector<Algorithm>;

Window window(std::vector<std::int64_t> kernel, std::int64_t stride = 1, std::int64_t pad = 0) {
  const std::size_t n = kernel.size();
  using Numbers = std::vector<std::int64_t>;
  return {std::move(kernel), Numbers(n, stride), Numbers(n, 1), Numbers(n, pad), Numbers(n, pad)};
}

// What a convolution with this output has; its weights are constant unless told otherwise.
All all_of(Operator op, Shape output, bool constant_weights = true) {
  Graph graph;
  graph.values = {{"x", {}, {}}, {"w", {}, {}}, {"y", {ir::Scalar::F32, std::move(output)}, {}}};
  if (constant_weights) graph.values[1].constant = Tensor::zeros(ir::Scalar::F32, {1});
  graph.nodes = {{"node", std::move(op), {0, 1}, {2}}};
  return algorithms(graph, graph.nodes.front());
}

TEST(Algorithms, OfTwoDimensions) {
  EXPECT_EQ(all_of(Conv{window({3, 3}, 1, 1)}, {1, 64, 56, 56}), (All{Direct, Winograd2, Winograd4}));
  EXPECT_EQ(all_of(Conv{window({3, 3}, 2, 1)}, {1, 64, 28, 28}), All{Direct});
  EXPECT_EQ(all_of(Conv{window({3, 3}, 1, 1), 64}, {1, 64, 56, 56}), All{Direct});
  EXPECT_EQ(all_of(Conv{window({3, 3}, 1, 1)}, {1, 64, 56, 56}, false), All{Direct});
  EXPECT_EQ(all_of(Conv{window({1, 1})}, {1, 64, 56, 56}), (All{Direct, MatMul}));
  EXPECT_EQ(all_of(Conv{window({1, 1}, 2)}, {1, 64, 28, 28}), All{Direct});
}

TEST(Algorithms, SmallOutputsHaveNoLargeTile) {
  EXPECT_EQ(all_of(Conv{window({3, 3}, 1, 1)}, {1, 512, 3, 3}), (All{Direct, Winograd2}));
  Conv last{window({3, 3}, 1, 1)};
  last.window.layout = Layout::ChannelsLast;
  EXPECT_EQ(all_of(last, {1, 3, 3, 512}), (All{Direct, Winograd2}));
}

TEST(Algorithms, PlanesOfVideos) {
  Conv conv{window({3, 3, 3}, 1, 1)};
  conv.window.strides[0] = 2;
  EXPECT_EQ(all_of(conv, {1, 64, 8, 56, 56}), (All{Direct, Winograd2, Winograd4}));
  EXPECT_EQ(all_of(Conv{window({3, 1, 1}, 1)}, {1, 64, 8, 56, 56}), All{Direct});
}

TEST(Algorithms, OfTransposedConvolution) {
  EXPECT_EQ(all_of(ConvTranspose{window({4, 4}, 2, 1)}, {1, 64, 8, 8}), (All{Direct, SubPixel}));
  EXPECT_EQ(all_of(ConvTranspose{window({4, 4}, 2, 1)}, {1, 64, 8, 8}, false), All{Direct});
  EXPECT_EQ(all_of(ConvTranspose{window({4, 4}, 2, 1), 2}, {1, 64, 8, 8}), All{Direct});
  EXPECT_EQ(all_of(ConvTranspose{window({4, 4})}, {1, 512, 4, 4}), All{Direct});
}

TEST(Algorithms, SubPixelsWithZerosOnlyWhereChannelsAreFew) {
  ConvTranspose overlapping{window({4, 4}, 2, 1)}, apart{window({2, 2}, 2)};
  overlapping.window.layout = apart.window.layout = Layout::ChannelsLast;
  EXPECT_EQ(all_of(overlapping, {1, 64, 64, 3}), (All{Direct, SubPixel}));
  EXPECT_EQ(all_of(overlapping, {1, 16, 16, 256}), All{Direct});
  EXPECT_EQ(all_of(apart, {1, 16, 16, 256}), (All{Direct, SubPixel}));
}

All of_product(Shape left, Shape right, ir::Scalar type = ir::Scalar::F32) {
  Graph graph;
  graph.values = {{"a", {type, std::move(left)}, {}}, {"b", {type, right}, {}}, {"c", {}, {}}};
  graph.values[1].constant = Tensor::zeros(type, right);
  graph.nodes = {{"node", graph::MatMul{}, {0, 1}, {2}}};
  return algorithms(graph, graph.nodes.front());
}

TEST(Algorithms, OfProducts) {
  EXPECT_EQ(of_product({1, 128, 768}, {768, 3072}), (All{Direct, Strassen}));
  EXPECT_EQ(of_product({1, 128, 3072}, {3072, 768}), All{Direct});
  EXPECT_EQ(of_product({1, 768}, {768, 3072}), All{Direct});
  EXPECT_EQ(of_product({33, 768}, {768, 3072}), All{Direct});
  EXPECT_EQ(of_product({128, 769}, {769, 3072}), All{Direct});
  EXPECT_EQ(of_product({128, 768}, {768, 64}), All{Direct});
  EXPECT_EQ(of_product({128, 768}, {768, 3072}, ir::Scalar::I32), All{Direct});
  EXPECT_EQ(of_product({12, 128, 256}, {12, 256, 256}), All{Direct});
}

// What algorithms.h says about which inputs and kernel elements an output reads, against the
// definition.
TEST(Algorithms, SubPixelsReadWhatTheTransposedConvolutionDoes) {
  for (const std::int64_t before : {-1, 0, 1, 4}) {
    const std::int64_t stride = 3, kernel = 5, inputs = 6;
    const Window slid{{kernel}, {stride}, {1}, {before}, {0}};
    const Tensor x = test::random_tensor(ir::Scalar::F32, {1, 1, inputs}, 1);
    const Tensor w = test::random_tensor(ir::Scalar::F32, {1, 1, kernel}, 2);
    const auto wanted = test::numbers(evaluate(ConvTranspose{slid}, std::vector{x, w}).front());
    for (std::int64_t o = 0; o < static_cast<std::int64_t>(wanted.size()); ++o) {
      const std::int64_t i = o / stride, p = o % stride;
      double sum = 0;
      for (std::int64_t tap = 0; tap < kernel; ++tap) {
        const std::int64_t from = i + ir::floor_div(p + before, stride) - tap;
        const std::int64_t element = ir::floor_mod(p + before, stride) + stride * tap;
        if (from < 0 || from >= inputs || element >= kernel) continue;
        sum += static_cast<double>(x.as<float>()[static_cast<std::size_t>(from)]) *
               static_cast<double>(w.as<float>()[static_cast<std::size_t>(element)]);
      }
      EXPECT_NEAR(sum, wanted[static_cast<std::size_t>(o)], 1e-6) << before << " " << o;
    }
  }
}

}  // namespace
}  // namespace hone::graph
