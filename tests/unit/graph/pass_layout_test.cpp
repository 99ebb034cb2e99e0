#include "graph/passes/reshaped_order.h"
#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

ValueId conv(Builder& b, ValueId x, std::int64_t channels, std::int64_t kernel,
             std::int64_t stride = 1) {
  const Shape shape = b.type(x).shape;
  Shape kernels(shape.size(), kernel);
  kernels[0] = channels;
  kernels[1] = shape[1];
  return b.apply("conv", Conv{square(shape.size() - 2, kernel, stride, kernel / 2)},
                 {x, weights(b, kernels)});
}

ValueId relu(Builder& b, ValueId x) {
  return b.map("relu", {x}, [](const auto& v) { return ir::max(v[0], ir::float_imm(0)); });
}

// What is left of layouts: the pass, and views cleaned up behind it.
Graph laid_out(const Graph& graph) {
  const Graph result = simplify_views(after(to_channels_last, graph));
  expect_same_results(graph, result);
  return result;
}

TEST(ToChannelsLast, ResidualBlocksHaveTranspositionsAtTheirEndsOnly) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 8, 9}));
  const ValueId first = relu(b, conv(b, x, 4, 3));
  const ValueId second =
      b.map("sum", {conv(b, first, 4, 3), first, weights(b, {4, 1, 1}), weights(b, {1})},
            [](const auto& v) { return ir::max(v[0] + v[1] + v[2], v[3]); });
  const Graph result = laid_out(b.finish({second}));
  EXPECT_EQ(operators(result), (Lines{"transpose 0,2,3,1", "conv window 3x3 pad 1 channels_last",
                                      "map max(x0, 0f)", "conv window 3x3 pad 1 channels_last",
                                      "map max(((x0 + x1) + x2), x3)", "transpose 0,3,1,2"}));
}

TEST(ToChannelsLast, FollowersReorderTheirAttributes) {
  Builder b;
  const ValueId x = b.input("x", f32_type({2, 3, 8, 9}));
  const ValueId y = conv(b, x, 4, 1);
  ValueId z = b.apply("pad", Pad{PadMode::Reflect, {0, 1, 2, 0}, {0, 0, 0, 3}, {}}, {y});
  z = b.apply("pool", Pool{Reduction::Max, {{2, 3}, {1, 2}, {1, 1}, {0, 1}, {1, 0}}}, {z});
  z = b.apply("slice", Slice{{0, 4, 1, 0}, {1, -1, 2, 1}, {2, 5, 4, 5}}, {z});
  z = b.apply("concat", Concat{2}, {z, z});
  z = b.apply("resize", Resize{true, {}, {1, 1, 0.5, 0.5}, {0, 0, -0.25, -0.25}, {2, 5, 16, 10}}, {z});
  z = b.apply("cumsum", CumSum{1, false, true}, {z});
  const ValueId sum = b.apply("sum", Reduce{Reduction::Sum, {1, 3}}, {z});
  const ValueId largest = b.apply("largest", ArgReduce{true, 1, false}, {z});
  const Graph result = laid_out(b.finish({sum, largest}));
  EXPECT_EQ(count(result, "transpose"), 1U);  // reductions leave nothing that has to move
  EXPECT_EQ(operators(result)[3], "pool max window 2x3 stride 1x2 pad 0x1:1x0 channels_last");
}

TEST(ToChannelsLast, TransposedConvolutionWithGroupsAndVideos) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 4, 3, 3})),
                video = b.input("video", f32_type({1, 2, 4, 5, 5}));
  const ValueId y = b.apply("up", ConvTranspose{square(2, 4, 2, 1), 2}, {x, weights(b, {4, 3, 4, 4})});
  const ValueId z = conv(b, video, 3, 3, 2);
  EXPECT_EQ(
      operators(laid_out(b.finish({y, z}))),
      (Lines{"transpose 0,2,3,1", "conv_transpose window 4x4 stride 2 pad 1 channels_last groups 2",
             "transpose 0,2,3,4,1", "conv window 3x3x3 stride 2 pad 1 channels_last",
             "transpose 0,3,1,2", "transpose 0,4,1,2,3"}));
}

TEST(ToChannelsLast, PooledFeaturesAreOnlyReshaped) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 4, 4}));
  const ValueId sum = b.apply("pool", Reduce{Reduction::Sum, {2, 3}}, {conv(b, x, 6, 3)});
  const ValueId flat = b.apply("flat", Reshape{{1, 6}}, {sum});
  const ValueId y = b.apply("fc", MatMul{}, {flat, weights(b, {6, 5})});
  EXPECT_EQ(operators(laid_out(b.finish({y}))),
            (Lines{"transpose 0,2,3,1", "conv window 3x3 pad 1 channels_last", "reduce sum axes 1,2",
                   "reshape", "matmul"}));
}

TEST(ToChannelsLast, ChannelShuffleIsOneTransposition) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 4, 4}));
  ValueId y = b.apply("split", Reshape{{1, 2, 3, 4, 4}}, {conv(b, x, 6, 3)});
  y = b.apply("shuffle", Transpose{{0, 2, 1, 3, 4}}, {y});
  y = b.apply("join", Reshape{{1, 6, 4, 4}}, {y});
  const Graph result = laid_out(b.finish({conv(b, y, 2, 3)}));
  EXPECT_EQ(count(result, "transpose"), 3U);  // at the input, the shuffle, at the output
}

TEST(ToChannelsLast, ModelsThatAreChannelsLastLoseTheirTranspositions) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 8, 8, 3}));
  const auto conv_last = [&](ValueId id, std::int64_t channels) {
    const ValueId first = b.apply("to_first", Transpose{{0, 3, 1, 2}}, {id});
    return b.apply("to_last", Transpose{{0, 2, 3, 1}}, {conv(b, first, channels, 3)});
  };
  const ValueId y = relu(b, conv_last(x, 4));
  const ValueId sum = b.binary("sum", ir::BinaryOp::Add, conv_last(y, 4), y);
  const Graph result = laid_out(b.finish({sum}));
  EXPECT_EQ(count(result, "transpose"), 0U);
}

TEST(ToChannelsLast, EinsumNamesDimensionsWhereverTheyStand) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 4, 4})), y = b.input("y", f32_type({5, 6}));
  const ValueId z =
      b.apply("product", Einsum{{{0, 1, 2, 3}, {4, 1}}, {0, 4, 2, 3}}, {conv(b, x, 6, 3), y});
  EXPECT_EQ(operators(laid_out(b.finish({z}))).back(), "einsum acdb,eb->aecd");
}

// With everything between three convolutions that follows a layout.
Graph three_convolutions() {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 8, 8}));
  ValueId y = x;
  for (const std::string name : {"one", "two", "three"}) {
    const std::int64_t channels = b.type(y).shape[1];
    y = b.apply(name, Conv{square(2, 3, 1, 1)}, {y, weights(b, {channels + 1, channels, 3, 3})});
    y = b.apply("pool", Pool{Reduction::Max, square(2, 2)}, {relu(b, y)});
  }
  return b.finish({y});
}

// Convolutions of these names in a layout, and the others in the other one.
Graph chosen(const Graph& graph, std::vector<std::string> channels_last) {
  const Graph result = run_passes(
      choose_layouts(graph,
                     [&](const Node& node) {
                       return std::ranges::count(channels_last, node.name) > 0 ? Layout::ChannelsLast
                                                                               : Layout::ChannelsFirst;
                     }),
      {.layout = Layout::ChannelsFirst});
  expect_same_results(graph, result);
  return result;
}

TEST(ChooseLayouts, TransposesWhereTwoLayoutsMeet) {
  const Graph graph = three_convolutions();
  const Graph middle = chosen(graph, {"two"});
  EXPECT_EQ(operators(middle),
            (Lines{"conv window 3x3 pad 1", "map max(x0, 0f)", "pool max window 2x2",
                   "transpose 0,2,3,1", "conv window 3x3 pad 1 channels_last", "map max(x0, 0f)",
                   "pool max window 2x2 channels_last", "transpose 0,3,1,2", "conv window 3x3 pad 1",
                   "map max(x0, 0f)", "pool max window 2x2"}));
  EXPECT_EQ(count(chosen(graph, {"one", "two"}), "transpose"), 2U);
  EXPECT_EQ(count(chosen(graph, {"one", "three"}), "transpose"), 4U);
  EXPECT_EQ(count(chosen(graph, {}), "transpose"), 0U);
}

TEST(ChooseLayouts, ChangesItsMind) {
  const Graph graph = three_convolutions();
  const Graph last = run_passes(graph);
  EXPECT_EQ(operators(chosen(last, {})),
            operators(run_passes(graph, {.layout = Layout::ChannelsFirst})));
  EXPECT_EQ(operators(chosen(last, {"two"})), operators(chosen(graph, {"two"})));
  EXPECT_EQ(operators(chosen(last, {"one", "two", "three"})), operators(last));
}

TEST(ReshapedOrder, DimensionsThatAreSplitOrJoinedStandTogether) {
  const Order last = {0, 2, 3, 1};
  const auto expect = [](const ReshapedOrder& orders, const Order& before, const Order& after) {
    EXPECT_EQ(orders.before, before);
    EXPECT_EQ(orders.after, after);
  };
  expect(reshaped_order({2, 6, 4, 5}, {2, 2, 3, 4, 5}, last), last, {0, 3, 4, 1, 2});
  expect(reshaped_order({2, 6, 4, 5}, {2, 6, 20}, last), last, {0, 2, 1});
  expect(reshaped_order({2, 6, 4, 5}, {2, 120}, last), {0, 1, 2, 3}, {0, 1});
  expect(reshaped_order({2, 2, 3, 4, 5}, {2, 6, 4, 5}, {0, 3, 4, 2, 1}), {0, 3, 4, 1, 2}, last);
  expect(reshaped_order({1, 6, 4, 5}, {1, 6, 1, 4, 5}, last), last, {0, 3, 4, 1, 2});
  expect(reshaped_order({1, 6, 1, 1}, {1, 6}, last), last, {0, 1});
  expect(reshaped_order({1, 1, 1, 1}, {1}, last), last, {0});
  // Heads of attention: [batch, heads, rows, columns], seen as [batch, rows, heads, columns].
  expect(reshaped_order({1, 8, 4, 16}, {1, 8, 64}, {0, 2, 1, 3}), {0, 1, 2, 3}, {0, 1, 2});
}

}  // namespace
}  // namespace hone::graph
