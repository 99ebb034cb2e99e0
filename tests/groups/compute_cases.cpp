#include "tests/groups/operator_cases.h"

namespace hone::groups {

const std::vector<OperatorCase>& compute_cases() {
  static const std::vector<OperatorCase> kCases = {
      {"matmul_weight_bias_gelu", 1,
       [](GraphDraft& d) {
         const ValueId product = d.op(graph::MatMul{}, {d.input({1, 13, 24}), d.weight({24, 31})});
         const ValueId x = d.binary(BinaryOp::Add, product, d.weight({31}));
         const ValueId erf = d.call(Function::Erf, d.binary(BinaryOp::Mul, x, d.scalar(0.70710678)));
         const ValueId half = d.binary(BinaryOp::Mul, x, d.scalar(0.5));
         return std::vector{d.binary(BinaryOp::Mul, half, d.binary(BinaryOp::Add, erf, d.scalar(1)))};
       }},
      {"matmul_batched_broadcast", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::MatMul{}, {d.input({2, 1, 5, 7}), d.input({3, 7, 4})})};
       }},
      {"matmul_of_one_row", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::MatMul{}, {d.input({3, 1, 8}), d.input({3, 8, 1})})};
       }},
      {"matmul_f64", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::MatMul{}, {d.input({5, 8}, Scalar::F64), d.weight({8, 9}, Scalar::F64)})};
       }},
      {"matmul_i32", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::MatMul{}, {d.input({5, 8}, Scalar::I32), d.weight({8, 9}, Scalar::I32)})};
       }},
      {"attention_scores", 1,
       [](GraphDraft& d) {
         const ValueId q = d.op(graph::Transpose{{0, 2, 1, 3}}, {d.input({1, 6, 2, 8})});
         const ValueId k = d.op(graph::Transpose{{0, 2, 3, 1}}, {d.input({1, 6, 2, 8})});
         const ValueId scores = d.op(graph::MatMul{}, {q, k});
         return std::vector{d.binary(BinaryOp::Mul, scores, d.scalar(0.35))};
       }},
      {"matmul_whose_result_is_transposed", 1,
       [](GraphDraft& d) {
         const ValueId v = d.op(graph::Transpose{{0, 2, 1, 3}}, {d.input({2, 6, 3, 8})});
         const ValueId product = d.op(graph::MatMul{}, {d.input({2, 3, 5, 6}), v});
         return std::vector{d.op(graph::Transpose{{0, 2, 1, 3}}, {product})};
       }},
      {"softmax", 1,
       [](GraphDraft& d) {
         const ValueId x = d.input({2, 3, 17});
         const ValueId e = d.call(
             Function::Exp, d.binary(BinaryOp::Sub, x, d.op(graph::Reduce{Reduction::Max, {2}}, {x})));
         return std::vector{d.binary(BinaryOp::Div, e, d.op(graph::Reduce{Reduction::Sum, {2}}, {e}))};
       }},
      {"softmax_along_the_middle", 1,
       [](GraphDraft& d) {
         const ValueId x = d.input({2, 7, 5});
         const ValueId e = d.call(
             Function::Exp, d.binary(BinaryOp::Sub, x, d.op(graph::Reduce{Reduction::Max, {1}}, {x})));
         return std::vector{d.binary(BinaryOp::Div, e, d.op(graph::Reduce{Reduction::Sum, {1}}, {e}))};
       }},
      {"layer_norm", 1,
       [](GraphDraft& d) {
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
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Reduce{Reduction::Sum, {0, 1, 2}}, {d.input({3, 5, 7})})};
       }},
      {"reduce_outer_of_integers", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::Reduce{Reduction::Min, {0, 2}}, {d.input({3, 5, 7}, Scalar::I64)})};
       }},
      {"reduce_prod_f16", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Reduce{Reduction::Prod, {1}}, {d.input({4, 3}, Scalar::F16)})};
       }},
      {"arg_max_of_the_first", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::ArgReduce{true, 1, false}, {d.input({4, 9}, Scalar::I32)})};
       }},
      {"arg_min_of_the_last", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::ArgReduce{false, 0, true}, {d.input({9, 4}, Scalar::I32)})};
       }},
      {"cumsum", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::CumSum{1, false, false}, {d.input({3, 9})})};
       }},
      {"cumsum_exclusive_reverse", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::CumSum{0, true, true}, {d.input({9, 4})})};
       }},
      {"einsum_with_a_diagonal", 1,
       [](GraphDraft& d) {
         return std::vector{
             d.op(graph::Einsum{{{0, 1, 1}, {2, 1}}, {2, 0}}, {d.input({4, 5, 5}), d.input({6, 5})})};
       }},
      {"einsum_outer", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::Einsum{{{0}, {1}}, {1, 0}}, {d.input({4}), d.input({6})})};
       }},
      {"f16_chain", 1,
       [](GraphDraft& d) {
         const ValueId x = d.input({3, 17}, Scalar::F16);
         const ValueId sum = d.builder().binary("sum", BinaryOp::Add, x, d.weight({17}, Scalar::F16));
         return std::vector{d.call(Function::Tanh, sum)};
       }},
      {"where_of_broadcast", 1,
       [](GraphDraft& d) {
         return std::vector{d.op(graph::where(Scalar::F32),
                                 {d.input({4, 1}, Scalar::Bool), d.input({5}), d.input({3, 1, 1})})};
       }},
      {"compare_and_cast", 1,
       [](GraphDraft& d) {
         const ValueId less = d.builder().binary("less", BinaryOp::Lt, d.input({6, 7}, Scalar::I64),
                                                 d.input({7}, Scalar::I64));
         return std::vector{d.op(graph::cast(Scalar::Bool, Scalar::F32), {less})};
       }},
      {"integer_arithmetic", 1,
       [](GraphDraft& d) {
         const ValueId a = d.input({35}, Scalar::I64), b = d.input({35}, Scalar::I64);
         const ValueId sum = d.builder().binary("sum", BinaryOp::Mul, a, b);
         return std::vector{d.builder().binary("max", BinaryOp::Max, sum, a)};
       }},
      {"scalars", 1,
       [](GraphDraft& d) {
         return std::vector{d.call(Function::Exp, d.binary(BinaryOp::Add, d.input({}), d.input({})))};
       }},
  };
  return kCases;
}

}  // namespace hone::groups
