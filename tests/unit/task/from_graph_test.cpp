#include "task/from_graph.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "task/catalogue.h"
#include "task/key.h"
#include "task/text.h"

namespace hone::task {
namespace {

using graph::Builder;
using graph::Shape;
using graph::ValueId;
using ir::BinaryOp;
using ir::Scalar;

graph::Window window(std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                     graph::Layout layout = graph::Layout::ChannelsFirst) {
  return {{kernel, kernel}, {stride, stride}, {1, 1}, {padding, padding}, {padding, padding}, layout};
}

ValueId weight(Builder& builder, Shape shape) {
  return builder.constant(graph::Tensor::zeros(Scalar::F32, std::move(shape)));
}

ValueId relu(Builder& builder, ValueId x) {
  return builder.apply("act", graph::clip(Scalar::F32, 0, std::nullopt), {x});
}

// The only task of a graph.
GraphTask only_task(const graph::Graph& graph) {
  const std::vector<graph::Group> groups = graph::fuse(graph);
  EXPECT_EQ(groups.size(), 1U);
  return from_graph(graph, groups.front());
}

void expect_as_operator(const graph::Graph& graph, const std::string& op) {
  const Task wanted = from_op(op), made = only_task(graph).task;
  EXPECT_EQ(print(made), print(wanted));
  EXPECT_EQ(tvm_key(made), tvm_key(wanted));
}

TEST(FromGraph, ConvolutionWithBiasAndReluIsTheCatalogues) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {1, 16, 8, 8}});
  const ValueId conv = b.apply("conv", graph::Conv{window(3, 2, 1)}, {x, weight(b, {32, 16, 3, 3})});
  const ValueId sum = b.binary("bias", BinaryOp::Add, weight(b, {1, 32, 1, 1}), conv);
  expect_as_operator(b.finish({relu(b, sum)}), "conv2d:ci=16,hw=8,co=32,k=3,s=2,p=1+bias+relu");
}

TEST(FromGraph, ConvolutionOfChannelsLastIsTheCatalogues) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {1, 8, 8, 16}});
  const ValueId conv = b.apply("conv", graph::Conv{window(3, 1, 1, graph::Layout::ChannelsLast)},
                               {x, weight(b, {3, 3, 16, 32})});
  const ValueId sum = b.binary("bias", BinaryOp::Add, conv, weight(b, {32}));
  const ValueId other = b.input("other", {Scalar::F32, {1, 8, 8, 32}});
  expect_as_operator(b.finish({b.binary("add", BinaryOp::Add, other, sum)}),
                     "conv2d:ci=16,hw=8,co=32,k=3,p=1,layout=nhwc+bias+add");
}

TEST(FromGraph, DepthwiseAndTransposedConvolutionsAreTheCatalogues) {
  Builder depthwise;
  const ValueId x = depthwise.input("x", {Scalar::F32, {1, 16, 8, 8}});
  expect_as_operator(depthwise.finish({depthwise.apply("conv", graph::Conv{window(3, 1, 1), 16},
                                                       {x, weight(depthwise, {16, 1, 3, 3})})}),
                     "depthwise:ci=16,hw=8,k=3,p=1");
  Builder transposed;
  const ValueId y = transposed.input("x", {Scalar::F32, {1, 16, 8, 8}});
  expect_as_operator(transposed.finish({transposed.apply("conv", graph::ConvTranspose{window(4, 2, 1)},
                                                         {y, weight(transposed, {16, 8, 4, 4})})}),
                     "conv2d_transpose:ci=16,hw=8,co=8,k=4,s=2,p=1");
}

TEST(FromGraph, ProductOfABatchWithAWeightIsOneOfMatrices) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {2, 64, 48}});
  const ValueId product = b.apply("product", graph::MatMul{}, {x, weight(b, {48, 80})});
  expect_as_operator(b.finish({b.binary("sum", BinaryOp::Add, product, weight(b, {80}))}),
                     "matmul:m=128,n=80,k=48+bias");
}

TEST(FromGraph, BatchesOfProductsAndPoolsAreTheCatalogues) {
  Builder b;
  const ValueId left = b.input("left", {Scalar::F32, {1, 12, 64, 32}});
  const ValueId right = b.input("right", {Scalar::F32, {1, 12, 32, 64}});
  expect_as_operator(b.finish({b.apply("product", graph::MatMul{}, {left, right})}),
                     "batch_matmul:b=12,m=64,n=64,k=32");
  Builder pool;
  const ValueId x = pool.input("x", {Scalar::F32, {1, 16, 8, 8}});
  expect_as_operator(
      pool.finish({pool.apply("pool", graph::Pool{graph::Reduction::Max, window(3, 2, 1)}, {x})}),
      "max_pool:ci=16,hw=8,k=3,s=2,p=1");
}

TEST(FromGraph, SoftmaxIsTheCataloguesUnderOtherNames) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {4, 8, 32}});
  const ValueId largest = b.apply("max", graph::Reduce{graph::Reduction::Max, {2}}, {x});
  const ValueId e = b.map("exp", {x, largest}, [](const std::vector<ir::Expr>& v) {
    return ir::call(ir::Function::Exp, {v[0] - v[1]});
  });
  const ValueId sum = b.apply("sum", graph::Reduce{graph::Reduction::Sum, {2}}, {e});
  const GraphTask made = only_task(b.finish({b.binary("div", BinaryOp::Div, e, sum)}));
  EXPECT_EQ(canonical_key(made.task), canonical_key(from_op("softmax:rows=32,cols=32")));
  EXPECT_EQ(made.inputs, std::vector<ValueId>{x});
}

TEST(FromGraph, FunctionsOfElementsWalkOneDimension) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {2, 3, 4, 5}});
  expect_as_operator(b.finish({b.unary("tanh", ir::Function::Tanh, x)}), "elementwise:n=120,fn=tanh");
}

TEST(FromGraph, NamesOfTheModelAreNoPartOfATask) {
  const auto task_of = [](const std::string& name, bool bias_first) {
    Builder b;
    const ValueId x = b.input(name + ".x", {Scalar::F32, {1, 4, 8, 8}});
    const ValueId conv = b.apply(name, graph::Conv{window(1, 1, 0)}, {x, weight(b, {8, 4, 1, 1})});
    const ValueId bias = weight(b, {8, 1, 1});
    const ValueId sum = bias_first ? b.binary("a", BinaryOp::Add, bias, conv)
                                   : b.binary("b", BinaryOp::Add, conv, bias);
    return only_task(b.finish({sum})).task;
  };
  const Task one = task_of("layer1", false), two = task_of("other", true);
  EXPECT_EQ(tvm_key(one), tvm_key(two));
  EXPECT_EQ(canonical_key(one), canonical_key(two));
}

TEST(FromGraph, SingleNumbersAreLiteralsAndOtherConstantsPlaceholders) {
  Builder b;
  const ValueId x = b.input("x", {Scalar::F32, {3, 8}});
  const ValueId twice = b.binary("mul", BinaryOp::Mul, x, b.scalar(2, Scalar::F32));
  const ValueId scale = weight(b, {1, 8});
  const GraphTask made = only_task(b.finish({b.binary("scale", BinaryOp::Mul, twice, scale)}));
  EXPECT_EQ(made.inputs, (std::vector<ValueId>{x, scale}));
  EXPECT_EQ(print(made.task),
            "A = PLACEHOLDER [3, 8]\n"
            "mul(i, j) = (A[i, j]*2f)\n"
            "B = PLACEHOLDER [8]\n"
            "mul_1(i, j) = (mul[i, j]*B[j])\n");
}

}  // namespace
}  // namespace hone::task
