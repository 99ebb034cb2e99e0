// Operator by operator: small graphs whose groups are compiled and compared with the definition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/builder.h"
#include "tests/groups/group_run.h"

namespace hone::groups {
namespace {

using graph::Builder;
using graph::Reduction;
using graph::Shape;
using graph::ValueId;
using ir::BinaryOp;
using ir::Function;
using ir::Scalar;

// A graph being made, with inputs and weights by their shapes.
class Draft {
 public:
  ValueId input(Shape shape, Scalar type = Scalar::F32) {
    return builder_.input(fmt::format("in{}", number_++), {type, std::move(shape)});
  }
  ValueId weight(Shape shape, Scalar type = Scalar::F32) {
    return builder_.constant(random_tensor({type, std::move(shape)}, 7, number_++));
  }
  template <class T>
  ValueId integers(Shape shape, Scalar type, std::initializer_list<T> values) {
    graph::Tensor tensor = graph::Tensor::zeros(type, std::move(shape));
    std::memcpy(tensor.writable().data(), values.begin(), tensor.bytes().size());
    return builder_.constant(std::move(tensor));
  }
  ValueId op(graph::Operator op, std::vector<ValueId> inputs) {
    return builder_.apply("node", std::move(op), std::move(inputs));
  }
  ValueId relu(ValueId x) { return op(graph::clip(Scalar::F32, 0, std::nullopt), {x}); }
  ValueId call(Function function, ValueId x) { return builder_.unary("call", function, x); }
  ValueId binary(BinaryOp op, ValueId a, ValueId b) { return builder_.binary("binary", op, a, b); }
  ValueId scalar(double value) { return builder_.scalar(value, Scalar::F32); }
  Builder& builder() { return builder_; }

 private:
  Builder builder_;
  int number_ = 0;
};

struct Case {
  std::string name;
  int kernels;  // that the graph becomes
  std::vector<ValueId> (*make)(Draft&);
};

graph::Window window(std::vector<std::int64_t> kernel, std::int64_t stride, std::int64_t padding,
                     std::int64_t dilation = 1) {
  const std::size_t n = kernel.size();
  return {std::move(kernel), std::vector(n, stride), std::vector(n, dilation), std::vector(n, padding),
          std::vector(n, padding)};
}

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"conv_bias_relu", 1,
       [](Draft& d) {
         const ValueId conv =
             d.op(graph::Conv{window({3, 3}, 1, 1)}, {d.input({1, 5, 9, 7}), d.weight({6, 5, 3, 3})});
         const ValueId sum = d.binary(BinaryOp::Add, conv, d.weight({1, 6, 1, 1}));
         return std::vector{d.relu(sum)};
       }},
      {"conv_channels_last", 1,
       [](Draft& d) {
         graph::Conv conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::ChannelsLast;
         const ValueId out = d.op(conv, {d.input({2, 9, 7, 5}), d.weight({3, 3, 5, 19})});
         return std::vector{d.binary(BinaryOp::Add, out, d.weight({19}))};
       }},
      {"conv_grouped_dilated", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Conv{window({3, 2}, 1, 2, 2), 3},
                                 {d.input({2, 6, 8, 9}), d.weight({9, 2, 3, 2})})};
       }},
      {"conv_depthwise", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Conv{window({3, 3}, 2, 1), 7},
                                 {d.input({1, 7, 8, 8}), d.weight({7, 1, 3, 3})})};
       }},
      {"conv_depthwise_multiplied", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Conv{window({3, 3}, 1, 1), 4},
                                 {d.input({1, 4, 8, 8}), d.weight({12, 1, 3, 3})})};
       }},
      {"conv_1d_uneven_padding", 1,
       [](Draft& d) {
         graph::Conv conv{window({4}, 1, 1)};
         conv.window.after = {2};
         return std::vector{d.op(conv, {d.input({2, 3, 11}), d.weight({5, 3, 4})})};
       }},
      {"conv_negative_padding", 1,
       [](Draft& d) {
         graph::Conv conv{window({3}, 1, 1)};
         conv.window.before = {-2};
         return std::vector{d.op(conv, {d.input({1, 3, 11}), d.weight({5, 3, 3})})};
       }},
      {"conv_3d_of_a_variable_weight", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Conv{window({2, 3, 3}, 1, 1)},
                                 {d.input({1, 3, 4, 5, 6}), d.input({4, 3, 2, 3, 3})})};
       }},
      {"conv_transpose", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::ConvTranspose{window({4, 4}, 2, 1)},
                                 {d.input({1, 5, 4, 3}), d.weight({5, 6, 4, 4})})};
       }},
      {"conv_transpose_grouped_uneven", 1,
       [](Draft& d) {
         graph::ConvTranspose conv{window({3, 2}, 3, 0), 2};
         conv.window.before = {1, 3};
         conv.window.after = {-1, 0};
         return std::vector{d.op(conv, {d.input({2, 4, 4, 5}), d.weight({4, 3, 3, 2})})};
       }},
      {"conv_transpose_channels_last", 1,
       [](Draft& d) {
         graph::ConvTranspose conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::ChannelsLast;
         return std::vector{d.op(conv, {d.input({1, 4, 5, 3}), d.weight({3, 3, 3, 8})})};
       }},
      {"residual_goes_to_the_later_conv", 2,
       [](Draft& d) {
         const ValueId x = d.input({1, 4, 6, 6});
         const ValueId a = d.op(graph::Conv{window({1, 1}, 1, 0)}, {x, d.weight({8, 4, 1, 1})});
         const ValueId b = d.op(graph::Conv{window({3, 3}, 1, 1)}, {x, d.weight({8, 4, 3, 3})});
         return std::vector{d.relu(d.binary(BinaryOp::Add, a, b))};
       }},
      {"hard_swish_as_parts", 1,
       [](Draft& d) {
         const ValueId x =
             d.op(graph::Conv{window({1, 1}, 1, 0)}, {d.input({1, 4, 6, 6}), d.weight({8, 4, 1, 1})});
         const ValueId shifted = d.binary(BinaryOp::Add, x, d.scalar(3));
         const ValueId gate = d.op(graph::clip(Scalar::F32, 0, 6), {shifted});
         const ValueId product = d.binary(BinaryOp::Mul, x, gate);
         return std::vector{d.binary(BinaryOp::Div, product, d.scalar(6))};
       }},
      {"max_pool", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::Pool{Reduction::Max, window({3, 3}, 2, 1)}, {d.input({2, 5, 9, 7})})};
       }},
      {"mean_pool_channels_last", 1,
       [](Draft& d) {
         graph::Pool pool{Reduction::Sum, window({2, 3}, 1, 0)};
         pool.window.layout = graph::Layout::ChannelsLast;
         const ValueId sum = d.op(pool, {d.input({1, 6, 7, 5})});
         return std::vector{d.binary(BinaryOp::Mul, sum, d.scalar(1.0 / 6))};
       }},
      {"matmul_weight_bias_gelu", 1,
       [](Draft& d) {
         const ValueId product = d.op(graph::MatMul{}, {d.input({1, 13, 24}), d.weight({24, 31})});
         const ValueId x = d.binary(BinaryOp::Add, product, d.weight({31}));
         const ValueId erf = d.call(Function::Erf, d.binary(BinaryOp::Mul, x, d.scalar(0.70710678)));
         const ValueId half = d.binary(BinaryOp::Mul, x, d.scalar(0.5));
         return std::vector{d.binary(BinaryOp::Mul, half, d.binary(BinaryOp::Add, erf, d.scalar(1)))};
       }},
      {"matmul_batched_broadcast", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::MatMul{}, {d.input({2, 1, 5, 7}), d.input({3, 7, 4})})};
       }},
      {"matmul_of_one_row", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::MatMul{}, {d.input({3, 1, 8}), d.input({3, 8, 1})})};
       }},
      {"matmul_f64", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::MatMul{}, {d.input({5, 8}, Scalar::F64), d.weight({8, 9}, Scalar::F64)})};
       }},
      {"matmul_i32", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::MatMul{}, {d.input({5, 8}, Scalar::I32), d.weight({8, 9}, Scalar::I32)})};
       }},
      {"attention_scores", 1,
       [](Draft& d) {
         const ValueId q = d.op(graph::Transpose{{0, 2, 1, 3}}, {d.input({1, 6, 2, 8})});
         const ValueId k = d.op(graph::Transpose{{0, 2, 3, 1}}, {d.input({1, 6, 2, 8})});
         const ValueId scores = d.op(graph::MatMul{}, {q, k});
         return std::vector{d.binary(BinaryOp::Mul, scores, d.scalar(0.35))};
       }},
      {"matmul_whose_result_is_transposed", 1,
       [](Draft& d) {
         const ValueId v = d.op(graph::Transpose{{0, 2, 1, 3}}, {d.input({2, 6, 3, 8})});
         const ValueId product = d.op(graph::MatMul{}, {d.input({2, 3, 5, 6}), v});
         return std::vector{d.op(graph::Transpose{{0, 2, 1, 3}}, {product})};
       }},
      {"picture_to_channels_last", 1,
       [](Draft& d) {
         graph::Conv conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::ChannelsLast;
         const ValueId x = d.op(graph::Transpose{{0, 2, 3, 1}}, {d.input({1, 3, 9, 11})});
         return std::vector{d.op(conv, {x, d.weight({3, 3, 3, 16})})};
       }},
      {"softmax", 1,
       [](Draft& d) {
         const ValueId x = d.input({2, 3, 17});
         const ValueId e = d.call(
             Function::Exp, d.binary(BinaryOp::Sub, x, d.op(graph::Reduce{Reduction::Max, {2}}, {x})));
         return std::vector{d.binary(BinaryOp::Div, e, d.op(graph::Reduce{Reduction::Sum, {2}}, {e}))};
       }},
      {"softmax_along_the_middle", 1,
       [](Draft& d) {
         const ValueId x = d.input({2, 7, 5});
         const ValueId e = d.call(
             Function::Exp, d.binary(BinaryOp::Sub, x, d.op(graph::Reduce{Reduction::Max, {1}}, {x})));
         return std::vector{d.binary(BinaryOp::Div, e, d.op(graph::Reduce{Reduction::Sum, {1}}, {e}))};
       }},
      {"layer_norm", 1,
       [](Draft& d) {
         const ValueId x = d.input({1, 6, 24});
         const auto mean = [&](ValueId v) {
           return d.binary(BinaryOp::Mul, d.op(graph::Reduce{Reduction::Sum, {2}}, {v}),
                           d.scalar(1.0 / 24));
         };
         const ValueId centre = d.binary(BinaryOp::Sub, x, mean(x));
         const ValueId variance = mean(d.binary(BinaryOp::Mul, centre, centre));
         const ValueId scale =
             d.call(Function::Rsqrt, d.binary(BinaryOp::Add, variance, d.scalar(1e-5)));
         const ValueId norm = d.binary(BinaryOp::Mul, centre, scale);
         return std::vector{
             d.binary(BinaryOp::Add, d.binary(BinaryOp::Mul, norm, d.weight({24})), d.weight({24}))};
       }},
      {"reduce_all", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Reduce{Reduction::Sum, {0, 1, 2}}, {d.input({3, 5, 7})})};
       }},
      {"reduce_outer_of_integers", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::Reduce{Reduction::Min, {0, 2}}, {d.input({3, 5, 7}, Scalar::I64)})};
       }},
      {"reduce_prod_f16", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Reduce{Reduction::Prod, {1}}, {d.input({4, 3}, Scalar::F16)})};
       }},
      {"arg_max_of_the_first", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::ArgReduce{true, 1, false}, {d.input({4, 9}, Scalar::I32)})};
       }},
      {"arg_min_of_the_last", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::ArgReduce{false, 0, true}, {d.input({9, 4}, Scalar::I32)})};
       }},
      {"cumsum", 1,
       [](Draft& d) { return std::vector{d.op(graph::CumSum{1, false, false}, {d.input({3, 9})})}; }},
      {"cumsum_exclusive_reverse", 1,
       [](Draft& d) { return std::vector{d.op(graph::CumSum{0, true, true}, {d.input({9, 4})})}; }},
      {"einsum_with_a_diagonal", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::Einsum{{{0, 1, 1}, {2, 1}}, {2, 0}}, {d.input({4, 5, 5}), d.input({6, 5})})};
       }},
      {"einsum_outer", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Einsum{{{0}, {1}}, {1, 0}}, {d.input({4}), d.input({6})})};
       }},
      {"transpose_slice_pad", 1,
       [](Draft& d) {
         const ValueId turned = d.op(graph::Transpose{{2, 0, 1}}, {d.input({4, 5, 9})});
         const ValueId part = d.op(graph::Slice{{8, 0, 1}, {-2, 1, 1}, {4, 4, 3}}, {turned});
         return std::vector{d.call(Function::Tanh, part)};
       }},
      {"reshape_is_a_view", 2,
       [](Draft& d) {
         const ValueId x = d.call(Function::Exp, d.input({4, 6}));
         const ValueId view = d.op(graph::Reshape{{2, 3, 4}}, {x});
         return std::vector{d.op(graph::Transpose{{1, 2, 0}}, {view})};
       }},
      {"pad_constant", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::Pad{graph::PadMode::Constant, {1, -1}, {0, 3}, ir::float_imm(2.5)},
                  {d.input({4, 6})})};
       }},
      {"pad_edge", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Pad{graph::PadMode::Edge, {1, 2}, {0, 3}, ir::float_imm(0)},
                                 {d.input({4, 6})})};
       }},
      {"pad_reflect", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Pad{graph::PadMode::Reflect, {3, 2}, {2, 0}, ir::float_imm(0)},
                                 {d.input({4, 6})})};
       }},
      {"pad_wrap", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Pad{graph::PadMode::Wrap, {3, 2}, {2, 0}, ir::float_imm(0)},
                                 {d.input({4, 6})})};
       }},
      {"concat", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::Concat{1}, {d.input({2, 3, 5}), d.input({2, 1, 5}), d.input({2, 6, 5})})};
       }},
      {"concat_of_columns_relu", 1,
       [](Draft& d) {
         return std::vector{d.relu(d.op(graph::Concat{1}, {d.input({5, 19}), d.input({5, 18})}))};
       }},
      {"expand_bool", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Expand{{3, 4, 5}}, {d.input({4, 1}, Scalar::Bool)})};
       }},
      {"gather_of_inputs", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Gather{1}, {d.input({3, 5, 7}), d.input({2, 2}, Scalar::I32)})};
       }},
      {"gather_constant", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::Gather{0},
                  {d.input({5, 40}), d.integers<std::int64_t>({3}, Scalar::I64, {4, 0, 2})})};
       }},
      {"embedding_and_sum", 1,
       [](Draft& d) {
         const ValueId words =
             d.op(graph::Gather{0}, {d.weight({9, 24}), d.input({1, 6}, Scalar::I64)});
         return std::vector{d.binary(BinaryOp::Add, words, d.weight({6, 24}))};
       }},
      {"gather_elements", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::GatherElements{1}, {d.input({3, 9}), d.input({2, 4}, Scalar::I64)})};
       }},
      {"gather_nd", 1,
       [](Draft& d) {
         return std::vector{
             d.op(graph::GatherND{1},
                  {d.input({2, 5, 6, 3}),
                   d.integers<std::int64_t>({2, 2, 2}, Scalar::I64, {0, 1, 4, -1, 2, 3, -5, 0})})};
       }},
      {"resize_nearest", 1,
       [](Draft& d) {
         return std::vector{d.op(
             graph::Resize{
                 false, graph::Rounding::Floor, {1, 1, 0.5, 0.5}, {0, 0, 0, 0}, {1, 3, 8, 10}},
             {d.input({1, 3, 4, 5})})};
       }},
      {"resize_nearest_odd", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::Resize{false,
                                               graph::Rounding::PreferFloor,
                                               {1, 1, 0.7, 1.3},
                                               {0, 0, -0.15, 0.15},
                                               {1, 3, 5, 3}},
                                 {d.input({1, 3, 4, 5})})};
       }},
      {"resize_linear", 1,
       [](Draft& d) {
         return std::vector{d.op(
             graph::Resize{
                 true, graph::Rounding::Floor, {1, 1, 0.5, 0.5}, {0, 0, -0.25, -0.25}, {1, 3, 8, 10}},
             {d.input({1, 3, 4, 5})})};
       }},
      {"resize_linear_irrational", 1,
       [](Draft& d) {
         return std::vector{d.op(
             graph::Resize{
                 true, graph::Rounding::Floor, {1, 1, 0.61803, 1}, {0, 0, 0.1234, 0}, {1, 3, 6, 5}},
             {d.input({1, 3, 4, 5})})};
       }},
      {"resize_where_doubles_round", 2,
       [](Draft& d) {
         const ValueId x = d.input({2, 9});
         const graph::Resize resize{true, graph::Rounding::Floor, {1, 0.6}, {0, -0.2}, {2, 15}};
         graph::Resize nearest = resize;
         nearest.linear = false;
         return std::vector{d.op(resize, {x}), d.op(nearest, {x})};
       }},
      {"f16_chain", 1,
       [](Draft& d) {
         const ValueId x = d.input({3, 17}, Scalar::F16);
         const ValueId sum = d.builder().binary("sum", BinaryOp::Add, x, d.weight({17}, Scalar::F16));
         return std::vector{d.call(Function::Tanh, sum)};
       }},
      {"where_of_broadcast", 1,
       [](Draft& d) {
         return std::vector{d.op(graph::where(Scalar::F32),
                                 {d.input({4, 1}, Scalar::Bool), d.input({5}), d.input({3, 1, 1})})};
       }},
      {"compare_and_cast", 1,
       [](Draft& d) {
         const ValueId less = d.builder().binary("less", BinaryOp::Lt, d.input({6, 7}, Scalar::I64),
                                                 d.input({7}, Scalar::I64));
         return std::vector{d.op(graph::cast(Scalar::Bool, Scalar::F32), {less})};
       }},
      {"integer_arithmetic", 1,
       [](Draft& d) {
         const ValueId a = d.input({35}, Scalar::I64), b = d.input({35}, Scalar::I64);
         const ValueId sum = d.builder().binary("sum", BinaryOp::Mul, a, b);
         return std::vector{d.builder().binary("max", BinaryOp::Max, sum, a)};
       }},
      {"scalars", 1,
       [](Draft& d) {
         return std::vector{d.call(Function::Exp, d.binary(BinaryOp::Add, d.input({}), d.input({})))};
       }},
      {"top_k_stands_alone", 1,
       [](Draft& d) {
         const std::vector<ValueId> top =
             d.builder().add("top", graph::TopK{3, 1, true}, {d.input({4, 9})});
         return std::vector{d.call(Function::Exp, top[0]), top[1]};
       }},
  };
  return kCases;
}

class Operators : public testing::TestWithParam<std::size_t> {};

TEST_P(Operators, ComputeWhatTheGraphSays) {
  const Case& subject = cases()[GetParam()];
  Draft draft;
  const std::vector<ValueId> outputs = subject.make(draft);
  const graph::Graph graph = draft.builder().finish(outputs);
  const Outcome outcome = run_groups(graph, random_inputs(graph, 3), target::host());
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.kernels, subject.kernels);
}

INSTANTIATE_TEST_SUITE_P(groups, Operators, testing::Range<std::size_t>(0, cases().size()),
                         [](const auto& test) { return cases()[test.param].name; });

}  // namespace
}  // namespace hone::groups
