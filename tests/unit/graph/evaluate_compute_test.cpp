#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "graph/builder.h"
#include "graph/evaluate.h"
#include "tests/tensors.h"
#include "tests/unit/graph/apply.h"

namespace hone::graph {
namespace {

using ir::Scalar;
using test::f32;
using test::i64;
using test::numbers;
using test::random_tensor;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(EvaluateReduce, OverAnyAxes) {
  const Tensor x = test::counting(Scalar::I32, {2, 3, 2});  // 0..11
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Sum, {0}}, {x})), (Numbers{6, 8, 10, 12, 14, 16}));
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Sum, {1}}, {x})), (Numbers{6, 9, 24, 27}));
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Max, {0, 2}}, {x})), (Numbers{7, 9, 11}));
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Min, {1, 2}}, {x})), (Numbers{0, 6}));
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Prod, {0, 1, 2}}, {x})), Numbers{0});
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Prod, {1}}, {f32({1, 3}, {2, 3, 4})})), Numbers{24});
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Sum, {}}, {x})), numbers(x));
}

TEST(EvaluateReduce, FloatsAreAddedInDoublePrecision) {
  const Tensor x = f32({4}, {1, 0x1p-30, -1, 0x1p-30});
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Sum, {0}}, {x})), Numbers{0x1p-29});
  EXPECT_EQ(numbers(apply(Reduce{Reduction::Sum, {0}}, {test::tensor(Scalar::F16, {3}, {2048, 1, 1})})),
            Numbers{2050});
}

TEST(EvaluateReduce, OverNothingGivesTheNeutralElement) {
  const auto of_nothing = [](Reduction reduction, Scalar type) {
    return numbers(apply(Reduce{reduction, {0}}, {test::tensor(type, {0}, {})})).front();
  };
  EXPECT_EQ(of_nothing(Reduction::Sum, Scalar::F32), 0);
  EXPECT_EQ(of_nothing(Reduction::Prod, Scalar::I32), 1);
  EXPECT_EQ(of_nothing(Reduction::Max, Scalar::F32), -kInfinity);
  EXPECT_EQ(of_nothing(Reduction::Min, Scalar::F16), kInfinity);
  EXPECT_EQ(of_nothing(Reduction::Max, Scalar::I8), -128);
  EXPECT_EQ(of_nothing(Reduction::Min, Scalar::U8), 255);
  EXPECT_EQ(of_nothing(Reduction::Max, Scalar::Bool), 0);
}

TEST(EvaluateReduce, LargeUnsignedNumbersAreNotNegative) {
  Tensor x = Tensor::zeros(Scalar::U64, {2});
  ir::write_number(Scalar::U64, x.writable().data(), {.i = -1});
  EXPECT_EQ(apply(Reduce{Reduction::Max, {0}}, {x}).as<std::uint64_t>()[0], ~std::uint64_t{0});
}

TEST(EvaluateArgReduce, FirstOrLastAmongEquals) {
  const Tensor x = f32({2, 4}, {3, 7, 7, 1, 2, -5, 0, -5});
  EXPECT_EQ(numbers(apply(ArgReduce{true, 1, false}, {x})), (Numbers{1, 0}));
  EXPECT_EQ(numbers(apply(ArgReduce{true, 1, true}, {x})), (Numbers{2, 0}));
  EXPECT_EQ(numbers(apply(ArgReduce{false, 1, false}, {x})), (Numbers{3, 1}));
  EXPECT_EQ(numbers(apply(ArgReduce{false, 1, true}, {x})), (Numbers{3, 3}));
  EXPECT_EQ(numbers(apply(ArgReduce{true, 0, false}, {x})), (Numbers{0, 0, 0, 0}));
}

TEST(EvaluateCumSum, Directions) {
  const Tensor x = f32({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(numbers(apply(CumSum{0, false, false}, {x})), (Numbers{1, 2, 4, 6, 9, 12}));
  EXPECT_EQ(numbers(apply(CumSum{0, true, false}, {x})), (Numbers{0, 0, 1, 2, 4, 6}));
  EXPECT_EQ(numbers(apply(CumSum{0, false, true}, {x})), (Numbers{9, 12, 8, 10, 5, 6}));
  EXPECT_EQ(numbers(apply(CumSum{1, true, true}, {x})), (Numbers{2, 0, 4, 0, 6, 0}));
}

TEST(EvaluateTopK, SortedAndStable) {
  const Tensor x = f32({2, 4}, {3, 7, 7, 1, 2, -5, 0, -5});
  std::vector<Tensor> top = evaluate(TopK{2, 1, true}, std::vector{x});
  EXPECT_EQ(numbers(top[0]), (Numbers{7, 7, 2, 0}));
  EXPECT_EQ(numbers(top[1]), (Numbers{1, 2, 0, 2}));
  top = evaluate(TopK{1, 0, false}, std::vector{x});
  EXPECT_EQ(numbers(top[0]), (Numbers{2, -5, 0, -5}));
  EXPECT_EQ(numbers(top[1]), (Numbers{1, 1, 1, 1}));
  top = evaluate(TopK{2, 0, true}, std::vector{f32({3}, {1, std::nan(""), 2})});
  EXPECT_EQ(numbers(top[1]), (Numbers{1, 2}));
}

TEST(EvaluateMatMul, ByHand) {
  const Tensor a = i64({2, 3}, {1, 2, 3, 4, 5, 6}), b = i64({3, 2}, {1, 0, 0, 1, 2, -1});
  EXPECT_EQ(numbers(apply(MatMul{}, {a, b})), (Numbers{7, -1, 16, -1}));
}

TEST(EvaluateMatMul, MatricesBroadcastAsEinsumSays) {
  for (const Scalar type : {Scalar::F64, Scalar::I32, Scalar::U8}) {
    const Tensor a = random_tensor(type, {2, 1, 5, 7}, 1), b = random_tensor(type, {3, 7, 35}, 2);
    const Einsum same{{{0, 5, 2, 3}, {1, 3, 4}}, {0, 1, 2, 4}};
    const Numbers product = numbers(apply(MatMul{}, {a, b})), expected = numbers(apply(same, {a, b}));
    ASSERT_EQ(product.size(), expected.size());
    for (std::size_t i = 0; i < product.size(); ++i) EXPECT_NEAR(product[i], expected[i], 1e-12);
  }
}

TEST(EvaluateMatMul, SumsOfNothingAreZero) {
  const Tensor product = apply(MatMul{}, {f32({2, 0}, {}), f32({0, 3}, {})});
  EXPECT_EQ(numbers(product), Numbers(6, 0));
}

TEST(EvaluateEinsum, DiagonalsTracesAndOuterProducts) {
  const Tensor square = f32({2, 2}, {1, 2, 3, 4}), row = f32({3}, {1, 10, 100});
  EXPECT_EQ(numbers(apply(Einsum{{{0, 0}}, {0}}, {square})), (Numbers{1, 4}));
  EXPECT_EQ(numbers(apply(Einsum{{{0, 0}}, {}}, {square})), Numbers{5});
  EXPECT_EQ(numbers(apply(Einsum{{{0, 1}}, {1, 0}}, {square})), (Numbers{1, 3, 2, 4}));
  EXPECT_EQ(numbers(apply(Einsum{{{0}, {1}}, {1, 0}}, {f32({2}, {2, 3}), row})),
            (Numbers{2, 3, 20, 30, 200, 300}));
  EXPECT_EQ(
      numbers(apply(Einsum{{{0, 1}, {0}, {1}}, {}}, {square, f32({2}, {1, 2}), f32({2}, {3, 4})})),
      Numbers{1 * 3 + 2 * 4 + 2 * 3 * 3 + 2 * 4 * 4});
}

// Carried: a running sum. Scanned: the rows. Stays: a factor. Stacked: the sums so far.
Loop running_sum(bool reverse) {
  Builder body("body");
  const ValueType row{Scalar::F32, {2}};
  const ValueId sum = body.input("sum", row), x = body.input("x", row),
                factor = body.input("factor", {Scalar::F32, {}});
  const ValueId scaled = body.binary("scaled", ir::BinaryOp::Mul, x, factor);
  const ValueId next = body.binary("next", ir::BinaryOp::Add, sum, scaled);
  return {std::make_shared<Graph>(body.finish({next, next})), 3, 1, 1, reverse};
}

TEST(EvaluateLoop, CarriesScansAndStacks) {
  const std::vector<Tensor> inputs = {f32({2}, {100, 200}), f32({3, 2}, {1, 2, 3, 4, 5, 6}),
                                      f32({}, {10})};
  std::vector<Tensor> results = evaluate(running_sum(false), inputs);
  EXPECT_EQ(numbers(results[0]), (Numbers{190, 320}));
  EXPECT_EQ(numbers(results[1]), (Numbers{110, 220, 140, 260, 190, 320}));
  results = evaluate(running_sum(true), inputs);
  EXPECT_EQ(numbers(results[0]), (Numbers{190, 320}));
  EXPECT_EQ(numbers(results[1]), (Numbers{190, 320, 180, 300, 150, 260}));
}

TEST(EvaluateGraph, RunsNodesAndChecksInputs) {
  Builder builder("net");
  const ValueId x = builder.input("x", {Scalar::F32, {2}});
  const ValueId two = builder.scalar(2, Scalar::F32);
  const ValueId doubled = builder.binary("doubled", ir::BinaryOp::Mul, x, two);
  const ValueId both = builder.apply("both", Concat{0}, {doubled, x});
  const Graph graph = builder.finish({both, x, two});
  const std::vector<Tensor> results = evaluate(graph, std::vector{f32({2}, {3, 4})});
  EXPECT_EQ(numbers(results[0]), (Numbers{6, 8, 3, 4}));
  EXPECT_EQ(numbers(results[1]), (Numbers{3, 4}));
  EXPECT_EQ(numbers(results[2]), Numbers{2});
  EXPECT_THROW(evaluate(graph, std::vector{f32({3}, {3, 4, 5})}), UserError);
  EXPECT_THROW(evaluate(graph, std::vector<Tensor>{}), UserError);
}

}  // namespace
}  // namespace hone::graph
