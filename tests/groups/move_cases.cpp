#include "tests/groups/operator_cases.h"

namespace hone::groups {

const std::vector<OperatorCase>& move_cases() {
  static const std::vector<OperatorCase> kCases = {
      {"transpose_slice_pad", 1,
       [](GraphDraft& d) {
         const ValueId turned = d.op(graph::Transpose{{2, 0, 1}}, {d.input({4, 5, 9})});
         const ValueId part = d.op(graph::Slice{{8, 0, 1}, {-2, 1, 1}, {4, 4, 3}}, {turned});
         return std::vector{d.call(Function::Tanh, part)};
       }},
      {"reshape_is_a_view", 2,
       [](GraphDraft& d) {
         const ValueId x = d.call(Function::Exp, d.input({4, 6}));
         const ValueId view = d.op(graph::Reshape{{2, 3, 4}}, {x});
         return std::vector{d.op(graph::Transpose{{1, 2, 0}}, {view})};
       }},
      {"pad_constant", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::Pad{graph::PadMode::Constant, {1, -1}, {0, 3}, ir::float_imm(2.5)},
                  {d.input({4, 6})})};
       }},
      {"pad_edge", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Pad{graph::PadMode::Edge, {1, 2}, {0, 3}, ir::float_imm(0)},
                                 {d.input({4, 6})})};
       }},
      {"pad_reflect", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Pad{graph::PadMode::Reflect, {3, 2}, {2, 0}, ir::float_imm(0)},
                                 {d.input({4, 6})})};
       }},
      {"pad_wrap", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Pad{graph::PadMode::Wrap, {3, 2}, {2, 0}, ir::float_imm(0)},
                                 {d.input({4, 6})})};
       }},
      {"concat", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::Concat{1}, {d.input({2, 3, 5}), d.input({2, 1, 5}), d.input({2, 6, 5})})};
       }},
      {"concat_of_columns_relu", 1,
       [](GraphDraft& d) {
         return std::vector{d.relu(d.op(graph::Concat{1}, {d.input({5, 19}), d.input({5, 18})}))};
       }},
      {"expand_bool", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Expand{{3, 4, 5}}, {d.input({4, 1}, Scalar::Bool)})};
       }},
      {"gather_of_inputs", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Gather{1}, {d.input({3, 5, 7}), d.input({2, 2}, Scalar::I32)})};
       }},
      {"gather_constant", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::Gather{0},
                  {d.input({5, 40}), d.integers<std::int64_t>({3}, Scalar::I64, {4, 0, 2})})};
       }},
      {"embedding_and_sum", 1,
       [](GraphDraft& d) {
         const ValueId words =
             d.op(graph::Gather{0}, {d.weight({9, 24}), d.input({1, 6}, Scalar::I64)});
         return std::vector{d.binary(BinaryOp::Add, words, d.weight({6, 24}))};
       }},
      {"gather_elements", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::GatherElements{1}, {d.input({3, 9}), d.input({2, 4}, Scalar::I64)})};
       }},
      {"gather_nd", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::GatherND{1},
                  {d.input({2, 5, 6, 3}),
                   d.integers<std::int64_t>({2, 2, 2}, Scalar::I64, {0, 1, 4, -1, 2, 3, -5, 0})})};
       }},
      {"resize_nearest", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(
             graph::Resize{
                 false, graph::Rounding::Floor, {1, 1, 0.5, 0.5}, {0, 0, 0, 0}, {1, 3, 8, 10}},
             {d.input({1, 3, 4, 5})})};
       }},
      {"resize_nearest_odd", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Resize{false,
                                               graph::Rounding::PreferFloor,
                                               {1, 1, 0.7, 1.3},
                                               {0, 0, -0.15, 0.15},
                                               {1, 3, 5, 3}},
                                 {d.input({1, 3, 4, 5})})};
       }},
      {"resize_linear", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(
             graph::Resize{
                 true, graph::Rounding::Floor, {1, 1, 0.5, 0.5}, {0, 0, -0.25, -0.25}, {1, 3, 8, 10}},
             {d.input({1, 3, 4, 5})})};
       }},
      {"resize_linear_irrational", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(
             graph::Resize{
                 true, graph::Rounding::Floor, {1, 1, 0.61803, 1}, {0, 0, 0.1234, 0}, {1, 3, 6, 5}},
             {d.input({1, 3, 4, 5})})};
       }},
      {"resize_where_doubles_round", 2,
       [](GraphDraft& d) {
         const ValueId x = d.input({2, 9});
         const graph::Resize resize{true, graph::Rounding::Floor, {1, 0.6}, {0, -0.2}, {2, 15}};
         graph::Resize nearest = resize;
         nearest.linear = false;
         return std::vector{d.op(resize, {x}), d.op(nearest, {x})};
       }},
      {"top_k_stands_alone", 1,
       [](GraphDraft& d) {
         const std::vector<ValueId> top =
             d.builder().add("top", graph::TopK{3, 1, true}, {d.input({4, 9})});
         return std::vector{d.call(Function::Exp, top[0]), top[1]};
       }},
  };
  return kCases;
}

}  // namespace hone::groups
