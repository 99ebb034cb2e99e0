#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

using enum ir::BinaryOp;

TEST(ShareEqualNodes, OperandsNamesAndCopiesOfConstantsDoNotMatter) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4}));
  const auto scaled = [&](const char* operand) {
    const ValueId scale = b.constant(test::f32({4}, {1, 2, 3, 4}));
    Map map{{ir::variable(operand, ir::kF32), ir::variable("scale", ir::kF32)}, {}};
    map.body = map.operands[0] * map.operands[1];
    return b.unary("exp", ir::Function::Exp, b.apply("scale", map, {x, scale}));
  };
  const ValueId first = scaled("a"), second = scaled("b");
  const Graph result = after(share_equal_nodes, b.finish({b.binary("sum", Add, first, second)}));
  EXPECT_EQ(operators(result), (Lines{"map (a*scale)", "map tir.exp(x0)", "map (x0 + x1)"}));
}

TEST(ShareEqualNodes, AttributesMatter) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4, 6}));
  const ValueId a = b.apply("a", Slice{{0, 0}, {1, 1}, {2, 6}}, {x});
  const ValueId c = b.apply("c", Slice{{0, 0}, {1, 1}, {2, 3}}, {x});
  const ValueId d = b.apply("d", Slice{{0, 3}, {1, 1}, {2, 3}}, {x});
  const Graph graph = b.finish({a, c, d});
  EXPECT_EQ(operators(after(share_equal_nodes, graph)), operators(graph));
}

TEST(MergeMaps, ChainsAndTreesBecomeOne) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3})), y = b.input("y", f32_type({3}));
  const ValueId scaled = b.binary("scaled", Mul, x, b.constant(test::f32({1}, {0.5})));
  const ValueId shifted = b.binary("shifted", Add, scaled, y);
  // GELU: the shifted value is read twice, by nodes that end in one.
  const ValueId inner = b.binary("inner", Mul, shifted, b.scalar(0.7071067811865476, ir::Scalar::F32));
  const ValueId erf = b.unary("erf", ir::Function::Erf, inner);
  const ValueId one = b.binary("one", Add, erf, b.scalar(1, ir::Scalar::F32));
  const ValueId gelu = b.binary("gelu", Mul, shifted, one);
  EXPECT_EQ(operators(after(merge_maps, b.finish({gelu}))),
            Lines{"map (((x0*0.5f) + x1)*(tir.erf((((x0*0.5f) + x1)*0.70710677f)) + 1f))"});
}

TEST(MergeMaps, NotWhenSomebodyElseReads) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4}));
  const ValueId exp = b.unary("exp", ir::Function::Exp, x);
  const ValueId tanh = b.unary("tanh", ir::Function::Tanh, exp);
  const Graph graph = b.finish({exp, tanh});
  EXPECT_EQ(operators(after(merge_maps, graph)), operators(graph));
}

TEST(MergeMaps, HeavyWorkIsNotRepeatedByBroadcasting) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4, 64})), y = b.input("y", f32_type({4, 1}));
  const ValueId root = b.unary("root", ir::Function::Sqrt, y);
  const ValueId twice = b.binary("twice", Mul, y, b.scalar(2, ir::Scalar::F32));
  const ValueId sum = b.binary("sum", Add, b.binary("product", Mul, x, root), twice);
  EXPECT_EQ(operators(after(merge_maps, b.finish({sum}))),
            (Lines{"map tir.sqrt(x0)", "map ((x0*x1) + (x2*2f))"}));
}

TEST(MergeMaps, ShapesThatOnlyAConstantGivesStay) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1}));
  const ValueId sum = b.binary("sum", Add, x, b.constant(test::f32({3}, {2, 2, 2})));
  EXPECT_EQ(operators(after(merge_maps, b.finish({sum}))), Lines{"map (x0 + x1)"});
}

TEST(MergeMaps, BodiesDoNotGrowWithoutEnd) {
  Builder b;
  ValueId x = b.input("x", f32_type({4}));
  for (int i = 0; i < 12; ++i) {  // as a tree, 2^12 sigmoids
    x = b.binary("silu", Mul, x, b.unary("sigmoid", ir::Function::Sigmoid, x));
  }
  const Graph result = after(merge_maps, b.finish({x}));
  EXPECT_GE(result.nodes.size(), 3U);
  EXPECT_LE(result.nodes.size(), 12U);
}

TEST(CheapenMaps, PowersAndDivisionByNumbers) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4}));
  const auto map = [&](const MapBody& body) { return b.map("map", {x}, body); };
  const auto power = [](double exponent) {
    return [=](const auto& v) { return ir::call(ir::Function::Pow, {v[0], ir::float_imm(exponent)}); };
  };
  const std::vector<ValueId> outputs = {
      map(power(2)), map(power(3)), map(power(2.5)),
      map([](const auto& v) { return v[0] / ir::float_imm(8); }), map([](const auto& v) {
        return ir::float_imm(1) / ir::call(ir::Function::Sqrt, {v[0] * v[0] + ir::float_imm(1)});
      })};
  EXPECT_EQ(operators(after(cheapen_maps, b.finish(outputs))),
            (Lines{"map (x0*x0)", "map ((x0*x0)*x0)", "map tir.pow(x0, 2.5f)", "map (x0*0.125f)",
                   "map tir.rsqrt(((x0*x0) + 1f))"}));
}

TEST(CheapenMaps, RowsAreDividedByMultiplying) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4, 64}));
  const ValueId sum =
      b.apply("sum", Reduce{Reduction::Sum, {1}}, {b.unary("exp", ir::Function::Exp, x)});
  const ValueId quotient = b.binary("quotient", Div, x, sum);
  const ValueId column = b.input("column", f32_type({4, 1}));
  const ValueId gate = b.map("gate", {quotient, column}, [](const auto& v) {
    return v[0] * ir::call(ir::Function::Sigmoid, {v[1]});
  });
  EXPECT_EQ(operators(after(cheapen_maps, b.finish({gate}))),
            (Lines{"map tir.exp(x0)", "reduce sum axes 1", "map (1f/x0)", "map (x0*x1)",
                   "map tir.sigmoid(x0)", "map (x0*x1)"}));
}

TEST(CheapenMaps, WhatIsKnownIsComputedNow) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3}));
  const ValueId y = b.map("normalise", {x, weights(b, {3}), weights(b, {2, 3}, 2)}, [](const auto& v) {
    return v[0] / (v[1] * v[1] + ir::float_imm(1)) + ir::call(ir::Function::Exp, {v[2]});
  });
  EXPECT_EQ(operators(after(cheapen_maps, b.finish({y}))), Lines{"map ((x0*x1) + x2)"});
}

TEST(JoinMatmuls, MatricesStandSideBySide) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 5, 4})), y = b.input("y", f32_type({4, 3}));
  const ValueId q = b.apply("q", MatMul{}, {x, weights(b, {4, 6})});
  const ValueId k = b.apply("k", MatMul{}, {x, weights(b, {4, 3}, 2)});
  const ValueId other = b.apply("other", MatMul{}, {x, y});
  EXPECT_EQ(operators(after(join_matmuls, b.finish({q, k, other}))),
            (Lines{"matmul", "slice from [0,0,0]", "slice from [0,0,6]", "matmul"}));
}

}  // namespace
}  // namespace hone::graph
