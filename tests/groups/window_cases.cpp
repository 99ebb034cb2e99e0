#include "tests/groups/operator_cases.h"

namespace hone::groups {

const std::vector<OperatorCase>& window_cases() {
  static const std::vector<OperatorCase> kCases = {
      {"conv_bias_relu", 1,
       [](GraphDraft& d) {
         const ValueId conv =
             d.op(graph::Conv{window({3, 3}, 1, 1)}, {d.input({1, 5, 9, 7}), d.weight({6, 5, 3, 3})});
         const ValueId sum = d.binary(BinaryOp::Add, conv, d.weight({1, 6, 1, 1}));
         return std::vector{d.relu(sum)};
       }},
      {"conv_channels_last", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::ChannelsLast;
         const ValueId out = d.op(conv, {d.input({2, 9, 7, 5}), d.weight({3, 3, 5, 19})});
         return std::vector{d.binary(BinaryOp::Add, out, d.weight({19}))};
       }},
      {"conv_grouped_dilated", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Conv{window({3, 2}, 1, 2, 2), 3},
                                 {d.input({2, 6, 8, 9}), d.weight({9, 2, 3, 2})})};
       }},
      {"conv_depthwise", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Conv{window({3, 3}, 2, 1), 7},
                                 {d.input({1, 7, 8, 8}), d.weight({7, 1, 3, 3})})};
       }},
      {"conv_depthwise_multiplied", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Conv{window({3, 3}, 1, 1), 4},
                                 {d.input({1, 4, 8, 8}), d.weight({12, 1, 3, 3})})};
       }},
      {"conv_1d_uneven_padding", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({4}, 1, 1)};
         conv.window.after = {2};
         return std::vector{d.op(conv, {d.input({2, 3, 11}), d.weight({5, 3, 4})})};
       }},
      {"conv_negative_padding", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({3}, 1, 1)};
         conv.window.before = {-2};
         return std::vector{d.op(conv, {d.input({1, 3, 11}), d.weight({5, 3, 3})})};
       }},
      {"conv_3d_of_a_variable_weight", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Conv{window({2, 3, 3}, 1, 1)},
                                 {d.input({1, 3, 4, 5, 6}), d.input({4, 3, 2, 3, 3})})};
       }},
      {"conv_transpose", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::ConvTranspose{window({4, 4}, 2, 1)},
                                 {d.input({1, 5, 4, 3}), d.weight({5, 6, 4, 4})})};
       }},
      {"conv_transpose_grouped_uneven", 1,
       [](GraphDraft& d) {
         graph::ConvTranspose conv{window({3, 2}, 3, 0), 2};
         conv.window.before = {1, 3};
         conv.window.after = {-1, 0};
         return std::vector{d.op(conv, {d.input({2, 4, 4, 5}), d.weight({4, 3, 3, 2})})};
       }},
      {"conv_transpose_channels_last", 1,
       [](GraphDraft& d) {
         graph::ConvTranspose conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::ChannelsLast;
         return std::vector{d.op(conv, {d.input({1, 4, 5, 3}), d.weight({3, 3, 3, 8})})};
       }},
      {"residual_goes_to_the_later_conv", 2,
       [](GraphDraft& d) {
         const ValueId x = d.input({1, 4, 6, 6});
         const ValueId a = d.op(graph::Conv{window({1, 1}, 1, 0)}, {x, d.weight({8, 4, 1, 1})});
         const ValueId b = d.op(graph::Conv{window({3, 3}, 1, 1)}, {x, d.weight({8, 4, 3, 3})});
         return std::vector{d.relu(d.binary(BinaryOp::Add, a, b))};
       }},
      {"hard_swish_as_parts", 1,
       [](GraphDraft& d) {
         const ValueId x =
             d.op(graph::Conv{window({1, 1}, 1, 0)}, {d.input({1, 4, 6, 6}), d.weight({8, 4, 1, 1})});
         const ValueId shifted = d.binary(BinaryOp::Add, x, d.scalar(3));
         const ValueId gate = d.op(graph::clip(Scalar::F32, 0, 6), {shifted});
         const ValueId product = d.binary(BinaryOp::Mul, x, gate);
         return std::vector{d.binary(BinaryOp::Div, product, d.scalar(6))};
       }},
      {"max_pool", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::Pool{Reduction::Max, window({3, 3}, 2, 1)}, {d.input({2, 5, 9, 7})})};
       }},
      {"mean_pool_channels_last", 1,
       [](GraphDraft& d) {
         graph::Pool pool{Reduction::Sum, window({2, 3}, 1, 0)};
         pool.window.layout = graph::Layout::ChannelsLast;
         const ValueId sum = d.op(pool, {d.input({1, 6, 7, 5})});
         return std::vector{d.binary(BinaryOp::Mul, sum, d.scalar(1.0 / 6))};
       }},
      {"conv_blocked", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::Blocked;
         const ValueId out = d.op(conv, {d.input({2, 2, 9, 7, 4}), d.weight({3, 2, 3, 3, 4, 8})});
         const ValueId sum = d.binary(BinaryOp::Add, out, d.weight({3, 1, 1, 8}));
         return std::vector{d.relu(d.binary(BinaryOp::Add, sum, d.input({2, 3, 5, 4, 8})))};
       }},
      {"conv_to_one_block", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({1, 1}, 1, 0)};
         conv.window.layout = graph::Layout::Blocked;
         return std::vector{d.op(conv, {d.input({1, 2, 5, 7, 16}), d.weight({1, 2, 1, 1, 16, 6})})};
       }},
      {"depthwise_blocked", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({3, 3}, 1, 1), 24};
         conv.window.layout = graph::Layout::Blocked;
         const ValueId out = d.op(conv, {d.input({1, 3, 8, 5, 8}), d.weight({3, 1, 3, 3, 1, 8})});
         return std::vector{d.op(graph::clip(Scalar::F32, 0, 6), {out})};
       }},
      {"volume_blocked", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({2, 3, 3}, 1, 1)};
         conv.window.layout = graph::Layout::Blocked;
         return std::vector{d.op(conv, {d.input({1, 2, 4, 5, 6, 3}), d.weight({2, 2, 2, 3, 3, 3, 4})})};
       }},
      {"max_pool_blocked", 1,
       [](GraphDraft& d) {
         graph::Pool pool{Reduction::Max, window({3, 3}, 2, 1)};
         pool.window.layout = graph::Layout::Blocked;
         return std::vector{d.op(pool, {d.input({2, 3, 9, 7, 16})})};
       }},
      {"picture_to_blocks", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::Blocked;
         const ValueId x = d.op(graph::Transpose{{0, 1, 3, 4, 2}}, {d.input({1, 1, 3, 9, 11})});
         return std::vector{d.op(conv, {x, d.weight({2, 1, 3, 3, 3, 16})})};
       }},
      {"picture_to_channels_last", 1,
       [](GraphDraft& d) {
         graph::Conv conv{window({3, 3}, 2, 1)};
         conv.window.layout = graph::Layout::ChannelsLast;
         const ValueId x = d.op(graph::Transpose{{0, 2, 3, 1}}, {d.input({1, 3, 9, 11})});
         return std::vector{d.op(conv, {x, d.weight({3, 3, 3, 16})})};
       }},
  };
  return kCases;
}

}  // namespace hone::groups
