#include "graph/forms.h"

#include <array>

#include "graph/groups.h"
#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

ValueId conv(Builder& b, const char* name, ValueId x, std::int64_t channels, std::int64_t kernel) {
  const std::int64_t from = b.type(x).shape[1];
  return b.apply(name, Conv{square(2, kernel, 1, kernel / 2)},
                 {x, weights(b, {channels, from, kernel, kernel})});
}

ValueId relu(Builder& b, ValueId x) {
  return b.map("relu", {x}, [](const auto& v) { return ir::max(v[0], ir::float_imm(0)); });
}

// A residual block behind a convolution and a pool, and another convolution; channels last.
Graph residual_block() {
  Builder b("block");
  const ValueId x = b.input("x", f32_type({1, 6, 8, 8}));
  const ValueId pooled =
      b.apply("pool", Pool{Reduction::Max, square(2, 2, 2)}, {conv(b, "zero", x, 6, 3)});
  const ValueId first = relu(b, conv(b, "first", pooled, 6, 3));
  const ValueId sum = b.binary("sum", ir::BinaryOp::Add, conv(b, "second", first, 6, 3), pooled);
  return run_passes(b.finish({conv(b, "third", sum, 3, 1)}));
}

// The node of this name that has a window.
int window_named(const Graph& graph, std::string_view name) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Operator& op = graph.nodes[n].op;
    const bool has_window = std::holds_alternative<Conv>(op) || std::holds_alternative<Pool>(op);
    if (has_window && graph.nodes[n].name == name) return static_cast<int>(n);
  }
  ADD_FAILURE() << name;
  return 0;
}

constexpr std::int64_t kLanes = 2;

Graph with(const Graph& graph, Form form, const std::vector<std::string_view>& names) {
  std::map<int, Form> forms;
  for (const std::string_view name : names) forms[window_named(graph, name)] = form;
  Graph result = in_forms(graph, forms, kLanes);
  verify(result);
  expect_same_results(graph, result);
  return result;
}

Graph with_channels_first(const Graph& graph, const std::vector<std::string_view>& names) {
  return with(graph, Form::ChannelsFirst, names);
}

const std::vector<std::string_view> kAll = {"zero", "pool", "first", "second", "third"};

TEST(Forms, WindowsHaveAllLayouts) {
  const Graph graph = residual_block();
  int windows = 0;
  for (const Group& group : fuse(graph)) {
    const bool has_window = std::ranges::any_of(group.nodes, [&](int n) {
      const Operator& op = graph.nodes[static_cast<std::size_t>(n)].op;
      return std::holds_alternative<Conv>(op) || std::holds_alternative<Pool>(op);
    });
    windows += has_window ? 1 : 0;
    const std::vector<Form> both = {Form::Plain, Form::ChannelsFirst},
                            all = {Form::Plain, Form::ChannelsFirst, Form::Blocked};
    EXPECT_EQ(forms(graph, group), has_window ? both : std::vector{Form::Plain});
    EXPECT_EQ(forms(graph, group, kLanes), has_window ? all : std::vector{Form::Plain});
    EXPECT_EQ(forms(graph, group, 16), has_window ? both : std::vector{Form::Plain}) << "one block";
  }
  EXPECT_EQ(windows, 5);
}

TEST(Forms, EveryMixtureOfLayoutsComputesTheSame) {
  const Graph graph = residual_block();
  const std::array<Form, 3> layouts = {Form::Plain, Form::ChannelsFirst, Form::Blocked};
  const std::array<Layout, 3> wanted = {Layout::ChannelsLast, Layout::ChannelsFirst, Layout::Blocked};
  for (std::size_t mixture = 0; mixture < 3 * 3 * 3 * 3 * 3; ++mixture) {
    SCOPED_TRACE(mixture);
    std::map<int, Form> some;
    std::vector<std::size_t> taken;
    for (std::size_t i = 0, left = mixture; i < kAll.size(); ++i, left /= 3) {
      taken.push_back(left % 3);
      some[window_named(graph, kAll[i])] = layouts[taken[i]];
    }
    const Graph mixed = in_forms(graph, some, kLanes);
    expect_same_results(graph, mixed);
    for (std::size_t i = 0; i < kAll.size(); ++i) {
      const Operator& op = mixed.nodes[static_cast<std::size_t>(window_named(mixed, kAll[i]))].op;
      const auto* conv = std::get_if<Conv>(&op);
      const Layout layout = conv != nullptr ? conv->window.layout : std::get<Pool>(op).window.layout;
      EXPECT_EQ(layout, wanted[taken[i]]);
    }
  }
}

TEST(Forms, TranspositionsAreLeftWhereLayoutsMeetOnly) {
  const Graph graph = residual_block();
  EXPECT_EQ(count(graph, "transpose"), 2U);  // at the ends: models are channels first
  EXPECT_EQ(count(with_channels_first(graph, kAll), "transpose"), 0U);
  EXPECT_EQ(count(with_channels_first(graph, {"third"}), "transpose"), 2U) << "before it, not after it";
  EXPECT_EQ(count(with_channels_first(graph, {"zero"}), "transpose"), 2U) << "after it, not before it";
  // What `pool` gives is read by two: transposed once.
  EXPECT_EQ(count(with_channels_first(graph, {"first", "second"}), "transpose"), 4U);
  EXPECT_EQ(count(with_channels_first(graph, {"pool"}), "transpose"), 4U);
}

TEST(Forms, AChainStaysInBlocks) {
  const Graph graph = residual_block();
  const Graph blocked = with(graph, Form::Blocked, kAll);
  EXPECT_EQ(count(blocked, "transpose"), 2U) << "at the ends, each from the model's order at once";
  EXPECT_EQ(fuse(blocked).size(), fuse(graph).size());
  // The last has three channels, which are one block: it is followed as if it were channels last.
  EXPECT_EQ(count(with(graph, Form::Blocked, {"third"}), "transpose"), 3U) << "in front of it";
  EXPECT_EQ(count(with(graph, Form::Blocked, {"first", "second"}), "transpose"), 4U);
}

// The colours of a picture are read as they come.
TEST(Forms, AFirstConvolutionReadsAnyOrder) {
  Builder b;
  const ValueId x = b.input("x", f32_type({1, 3, 8, 8}));
  const Graph graph =
      run_passes(b.finish({relu(b, conv(b, "second", conv(b, "first", x, 4, 3), 4, 1))}));
  const Graph blocked = with(graph, Form::Blocked, {"first", "second"});
  ASSERT_EQ(fuse(blocked).size(), fuse(graph).size());
  EXPECT_EQ(print(blocked.nodes[static_cast<std::size_t>(fuse(blocked)[0].nodes[0])].op),
            "transpose 0,1,3,4,2");
}

TEST(Forms, DepthwiseConvolutionsHaveBlocks) {
  const auto blocks_of = [](std::int64_t groups, std::int64_t made) {
    Builder b;
    const ValueId x = b.input("x", f32_type({1, 6, 5, 7}));
    const ValueId w = weights(b, {made, 6 / groups, 3, 3});
    const Graph graph =
        run_passes(b.finish({b.apply("conv", Conv{square(2, 3, 2, 1), groups}, {x, w})}));
    const Group group = fuse(graph)[1];  // behind the transposition
    const std::vector<Form> all = forms(graph, group, kLanes);
    if (std::ranges::count(all, Form::Blocked) == 0) return false;
    const Graph blocked = in_forms(graph, {{group.nodes[0], Form::Blocked}}, kLanes);
    expect_same_results(graph, blocked);
    return true;
  };
  EXPECT_TRUE(blocks_of(1, 4));
  EXPECT_TRUE(blocks_of(6, 6));
  EXPECT_FALSE(blocks_of(6, 12)) << "a block of the output reads half a block";
  EXPECT_FALSE(blocks_of(2, 6));
}

TEST(Forms, ResidualsStayWithTheirConvolution) {
  const Graph mixed = with_channels_first(residual_block(), {"first"});
  for (const Group& group : fuse(mixed)) {
    const auto has = [&](auto is_it) {
      return std::ranges::any_of(
          group.nodes, [&](int n) { return is_it(mixed.nodes[static_cast<std::size_t>(n)]); });
    };
    const bool has_second = has([](const Node& node) {
      return node.name == "second" && std::holds_alternative<Conv>(node.op);
    });
    if (has_second) {
      EXPECT_TRUE(has([](const Node& node) { return std::holds_alternative<Map>(node.op); }));
    }
  }
}

TEST(Forms, AttentionCanBeSeparate) {
  Builder b;
  const ValueType matrix = f32_type({2, 8, 8});
  const ValueId scores = b.apply("scores", MatMul{}, {b.input("q", matrix), b.input("k", matrix)});
  const ValueId power = b.unary("power", ir::Function::Exp, scores);
  const ValueId total = b.apply("total", Reduce{Reduction::Sum, {2}}, {power});
  const ValueId share = b.binary("share", ir::BinaryOp::Div, power, total);
  const Graph graph =
      run_passes(b.finish({b.apply("result", MatMul{}, {share, b.input("v", matrix)})}));
  const std::vector<Group> joined = fuse(graph);
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(forms(graph, joined[0]), (std::vector{Form::Plain, Form::Separate}));
  const Graph separate = in_forms(graph, {{joined[0].nodes[0], Form::Separate}});
  expect_same_results(graph, separate);
  EXPECT_EQ(fuse(separate).size(), 3u);
}

TEST(Forms, APartIsItsGroupAlone) {
  const Graph graph = residual_block();
  for (const Group& group : fuse(graph)) {
    const Graph alone = part(graph, group);
    verify(alone);
    ASSERT_EQ(fuse(alone).size(), 1u);
    EXPECT_EQ(fuse(alone)[0].nodes.size(), group.nodes.size());
  }
}

}  // namespace
}  // namespace hone::graph
