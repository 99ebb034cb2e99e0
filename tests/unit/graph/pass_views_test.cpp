#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

TEST(FoldConstants, LeavesOutWhatNobodyReads) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4}));
  b.unary("dead", ir::Function::Exp, x);
  const Graph result = after(fold_constants, b.finish({b.unary("tanh", ir::Function::Tanh, x)}));
  EXPECT_EQ(operators(result), Lines{"map tir.tanh(x0)"});
  EXPECT_EQ(result.values.size(), 2U);
}

TEST(SimplifyViews, TwoInARowAreOne) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3, 4, 5}));
  ValueId y = b.apply("a", Transpose{{0, 2, 3, 1}}, {x});
  y = b.apply("b", Transpose{{3, 1, 2, 0}}, {y});
  y = b.apply("c", Reshape{{12, 10}}, {y});
  y = b.apply("d", Reshape{{10, 12}}, {y});
  y = b.apply("e", Slice{{1, 9}, {2, -2}, {4, 5}}, {y});
  y = b.apply("f", Slice{{3, 1}, {-1, 2}, {3, 2}}, {y});
  y = b.apply("g", Expand{{2, 3, 2}}, {y});
  y = b.apply("h", Expand{{5, 2, 3, 2}}, {y});
  EXPECT_EQ(operators(after(simplify_views, b.finish({y}))),
            (Lines{"transpose 1,2,3,0", "reshape", "slice from [7,7] by [-2,-4]", "expand"}));
}

TEST(SimplifyViews, TranspositionsThatMoveNothing) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3, 1, 1}));
  const ValueId y = b.apply("a", Transpose{{0, 2, 3, 1}}, {x});
  const ValueId z = b.apply("b", Reshape{{2, 3}}, {y});
  const Graph result = after(simplify_views, b.finish({z}));
  EXPECT_EQ(operators(result), Lines{"reshape"});
}

TEST(SimplifyViews, WhatDoesNothingVanishes) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 4, 4}));
  ValueId y = b.unary("exp", ir::Function::Exp, x);
  y = b.apply("a", Reshape{{1, 3, 4, 4}}, {y});
  y = b.apply("b", Transpose{{0, 1, 2, 3}}, {y});
  y = b.apply("c", Expand{{1, 3, 4, 4}}, {y});
  y = b.apply("d", Slice{{0, 0, 0, 0}, {1, 1, 1, 1}, {1, 3, 4, 4}}, {y});
  y = b.apply("e", Pad{PadMode::Edge, {0, 0, 0, 0}, {0, 0, 0, 0}, {}}, {y});
  y = b.apply("f", Concat{1}, {y});
  y = b.apply("g", Reduce{Reduction::Sum, {0}}, {y});
  y = b.apply("h", Pool{Reduction::Max, square(2, 1)}, {y});
  y = b.map("i", {y}, [](const auto& operands) { return operands[0]; });
  y = b.apply("j", Resize{false, Rounding::Floor, {1, 1, 1, 1}, {0, 0, 0, 0}, {1, 3, 4, 4}}, {y});
  y = b.apply("k", Reduce{Reduction::Max, {0, 3}}, {y});
  EXPECT_EQ(operators(after(simplify_views, b.finish({y}))),
            (Lines{"map tir.exp(x0)", "reduce max axes 3"}));
}

TEST(SimplifyViews, OutputsStayApartFromInputs) {
  Builder b;
  const ValueId x = b.input("x", f32_type({4}));
  const ValueId y = b.apply("y", Reshape{{4}}, {x});
  const ValueId z = b.unary("z", ir::Function::Exp, x);
  const ValueId same = b.apply("same", Reshape{{4}}, {z});
  const Graph result = after(simplify_views, b.finish({y, z, same}));
  EXPECT_EQ(operators(result), (Lines{"reshape", "map tir.exp(x0)", "reshape"}));
}

TEST(SimplifyViews, PartsOfConcatenations) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3})), y = b.input("y", f32_type({2, 5}));
  const ValueId inner = b.apply("inner", Concat{1}, {x, y});
  const ValueId all = b.apply("all", Concat{1}, {inner, x});
  const ValueId part = b.apply("part", Slice{{0, 4}, {1, 2}, {2, 2}}, {all});
  const ValueId both = b.apply("both", Slice{{0, 2}, {1, 1}, {2, 2}}, {all});
  EXPECT_EQ(operators(after(simplify_views, b.finish({part, both}))),
            (Lines{"concat axis 1", "slice from [0,1] by [1,2]", "slice from [0,2]"}));
}

TEST(SimplifyViews, KnownIndicesAreSlices) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 8, 3}));
  const ValueId one = b.apply("one", Gather{1}, {x, b.constant(test::i64({}, {-1}))});
  const ValueId row = b.apply("row", Gather{1}, {x, b.constant(test::i64({2, 1}, {6, 3}))});
  const ValueId any = b.apply("any", Gather{1}, {x, b.constant(test::i64({3}, {1, 2, 4}))});
  EXPECT_EQ(operators(after(simplify_views, b.finish({one, row, any}))),
            (Lines{"slice from [0,7,0]", "reshape", "slice from [0,6,0] by [1,-3,1]", "reshape",
                   "gather axis 1"}));
}

TEST(SimplifyViews, MapsExpandByThemselves) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3})), y = b.input("y", f32_type({3}));
  const ValueId wide = b.apply("wide", Expand{{2, 3}}, {y});
  const ValueId sum = b.binary("sum", ir::BinaryOp::Add, x, wide);
  const ValueId alone = b.unary("alone", ir::Function::Exp, wide);
  EXPECT_EQ(operators(after(simplify_views, b.finish({sum, alone}))),
            (Lines{"expand", "map (x0 + x1)", "map tir.exp(x0)"}));
}

TEST(CancelThroughMaps, TranspositionsMeetTheirInverse) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 4, 5})), y = b.input("y", f32_type({1, 3, 4, 5}));
  const ValueId a = b.apply("a", Transpose{{0, 2, 3, 1}}, {x});
  const ValueId c = b.apply("c", Transpose{{0, 2, 3, 1}}, {y});
  const ValueId sum =
      b.map("sum", {a, c, weights(b, {3})}, [](const auto& v) { return ir::max(v[0] + v[1], v[2]); });
  const ValueId back = b.apply("back", Transpose{{0, 3, 1, 2}}, {sum});
  EXPECT_EQ(operators(after(cancel_through_maps, b.finish({back}))), Lines{"map max((x0 + x1), x2)"});
}

TEST(CancelThroughMaps, StaysWhereOneTranspositionWouldBecomeTwo) {
  Builder b;
  const ValueId x = b.input("x", f32_type({3, 4})), y = b.input("y", f32_type({4, 3}));
  const ValueId sum = b.binary("sum", ir::BinaryOp::Add, b.apply("a", Transpose{{1, 0}}, {x}), y);
  const Graph graph = b.finish({b.apply("back", Transpose{{1, 0}}, {sum})});
  EXPECT_EQ(operators(after(cancel_through_maps, graph)), operators(graph));
}

TEST(CancelThroughMaps, ReshapesMeetToo) {
  Builder b;
  const ValueId x = b.input("x", f32_type({6, 4}));
  const ValueId flat = b.apply("a", Reshape{{2, 3, 4}}, {x});
  const ValueId scaled = b.map("scale", {flat, weights(b, {2, 3, 4}), weights(b, {1, 1})},
                               [](const auto& v) { return v[0] * v[1] + v[2]; });
  const ValueId back = b.apply("back", Reshape{{6, 4}}, {scaled});
  EXPECT_EQ(operators(after(cancel_through_maps, b.finish({back}))), Lines{"map ((x0*x1) + x2)"});
}

}  // namespace
}  // namespace hone::graph
