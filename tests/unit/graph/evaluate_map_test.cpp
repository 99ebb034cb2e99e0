#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/maps.h"
#include "tests/tensors.h"
#include "tests/unit/graph/apply.h"

namespace hone::graph {
namespace {

using ir::Scalar;
using test::f32;
using test::i64;
using test::numbers;

TEST(EvaluateMap, ShapesBroadcast) {
  const Tensor column = f32({2, 1}, {10, 20}), row = f32({3}, {1, 2, 3});
  const Tensor result = apply(binary(ir::BinaryOp::Add, Scalar::F32), {column, row});
  EXPECT_EQ(result.shape(), (Shape{2, 3}));
  EXPECT_EQ(numbers(result), (Numbers{11, 12, 13, 21, 22, 23}));
}

TEST(EvaluateMap, OperandsThatRepeatInTheMiddleAndAtTheEnds) {
  const Tensor a = test::counting(Scalar::I32, {2, 1, 3, 1}),
               b = test::counting(Scalar::I32, {4, 1, 5});
  const Numbers result = numbers(apply(binary(ir::BinaryOp::Mul, Scalar::I32), {a, b}));
  std::size_t at = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 5; ++l) EXPECT_EQ(result[at++], (i * 3 + k) * (j * 5 + l));
      }
    }
  }
}

TEST(EvaluateMap, RowsThatAreNoMultipleOfALane) {
  const Tensor x = test::random_tensor(Scalar::F32, {3, 701}, 1);
  const Numbers in = numbers(x), out = numbers(apply(unary(ir::Function::Exp, Scalar::F32), {x}));
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], static_cast<float>(std::exp(in[i]))) << i;
}

TEST(EvaluateMap, EveryTypeKeepsToItsValues) {
  const auto doubled = [](Scalar type, double number) {
    const Map map = make_map({type}, [](const auto& x) { return x[0] + x[0]; });
    return numbers(apply(map, {test::tensor(type, {}, {number})})).front();
  };
  EXPECT_EQ(doubled(Scalar::I8, 100), -56);
  EXPECT_EQ(doubled(Scalar::U8, 200), 144);
  EXPECT_EQ(doubled(Scalar::I16, 20000), -25536);
  EXPECT_EQ(doubled(Scalar::U16, 40000), 14464);
  EXPECT_EQ(doubled(Scalar::I32, 2e9), 4e9 - 0x1p32);
  EXPECT_EQ(doubled(Scalar::U32, 3e9), 6e9 - 0x1p32);
  EXPECT_EQ(doubled(Scalar::I64, 1e15), 2e15);
  EXPECT_EQ(doubled(Scalar::U64, 1e15), 2e15);
  EXPECT_EQ(doubled(Scalar::F16, 2049), 4096);  // 2049 is no float16
  EXPECT_EQ(doubled(Scalar::BF16, 257), 512);
  EXPECT_EQ(doubled(Scalar::F32, 0.1F), 2 * static_cast<double>(0.1F));
  EXPECT_EQ(doubled(Scalar::F64, 0.1), 0.2);
}

TEST(EvaluateMap, ChoicesComparisonsAndCasts) {
  const Tensor x = f32({4}, {-2, -0.5, 0.5, 3});
  const Map relu6 = clip(Scalar::F32, 0, 6);
  EXPECT_EQ(numbers(apply(relu6, {f32({3}, {-1, 5, 7})})), (Numbers{0, 5, 6}));
  const Tensor is_small = apply(binary(ir::BinaryOp::Lt, Scalar::F32), {x, f32({}, {0.5})});
  EXPECT_EQ(is_small.type(), Scalar::Bool);
  EXPECT_EQ(numbers(is_small), (Numbers{1, 1, 0, 0}));
  EXPECT_EQ(numbers(apply(where(Scalar::F32), {is_small, x, f32({1}, {9})})),
            (Numbers{-2, -0.5, 9, 9}));
  EXPECT_EQ(numbers(apply(cast(Scalar::F32, Scalar::I8), {x})), (Numbers{-2, 0, 0, 3}));
  EXPECT_EQ(numbers(apply(cast(Scalar::F32, Scalar::Bool), {f32({2}, {0, 0.1})})), (Numbers{0, 1}));
  EXPECT_EQ(numbers(apply(logical_not(), {is_small})), (Numbers{0, 0, 1, 1}));
  EXPECT_TRUE(std::signbit(numbers(apply(negate(Scalar::F32), {f32({}, {0})})).front()));
}

TEST(EvaluateMap, PartsThatAreSharedAreWorkedOutOnce) {
  // Without sharing its 2^60 parts would never end.
  const Map map = make_map({Scalar::F64}, [](const auto& x) { return x[0]; });
  ir::Expr body = map.operands[0];
  for (int i = 0; i < 60; ++i) body = body + body;
  EXPECT_EQ(numbers(apply(Map{map.operands, body}, {test::tensor(Scalar::F64, {}, {1})})).front(),
            0x1p60);
}

TEST(EvaluateMap, NoElementsGiveNone) {
  EXPECT_EQ(apply(negate(Scalar::F32), {f32({2, 0, 3}, {})}).shape(), (Shape{2, 0, 3}));
}

TEST(EvaluateMap, AnIntegerDividedByZeroIsTheModelsFault) {
  const Map map = binary(ir::BinaryOp::Div, Scalar::I64);
  EXPECT_EQ(numbers(apply(map, {i64({2}, {7, -7}), i64({}, {2})})), (Numbers{3, -3}));
  EXPECT_THROW(apply(map, {i64({2}, {7, 8}), i64({2}, {1, 0})}), UserError);
}

}  // namespace
}  // namespace hone::graph
