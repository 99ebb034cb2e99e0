#include "graph/forms.h"

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

Graph with_channels_first(const Graph& graph, const std::vector<std::string_view>& names) {
  std::map<int, Form> forms;
  for (const std::string_view name : names) forms[window_named(graph, name)] = Form::ChannelsFirst;
  Graph result = in_forms(graph, forms);
  verify(result);
  expect_same_results(graph, result);
  return result;
}

TEST(Forms, WindowsHaveBothLayouts) {
  const Graph graph = residual_block();
  int windows = 0;
  for (const Group& group : fuse(graph)) {
    const bool has_window = std::ranges::any_of(group.nodes, [&](int n) {
      const Operator& op = graph.nodes[static_cast<std::size_t>(n)].op;
      return std::holds_alternative<Conv>(op) || std::holds_alternative<Pool>(op);
    });
    windows += has_window ? 1 : 0;
    EXPECT_EQ(forms(graph, group),
              has_window ? (std::vector{Form::Plain, Form::ChannelsFirst}) : std::vector{Form::Plain});
  }
  EXPECT_EQ(windows, 5);
}

TEST(Forms, EveryMixtureOfLayoutsComputesTheSame) {
  const Graph graph = residual_block();
  const std::vector<std::string_view> names = {"zero", "pool", "first", "second", "third"};
  for (unsigned mixture = 0; mixture < 32; ++mixture) {
    SCOPED_TRACE(mixture);
    std::vector<std::string_view> some;
    for (unsigned i = 0; i < names.size(); ++i) {
      if ((mixture >> i & 1) != 0) some.push_back(names[i]);
    }
    const Graph mixed = with_channels_first(graph, some);
    for (const std::string_view name : names) {
      const auto* conv =
          std::get_if<Conv>(&mixed.nodes[static_cast<std::size_t>(window_named(mixed, name))].op);
      if (conv == nullptr) continue;
      EXPECT_EQ(conv->window.layout == Layout::ChannelsFirst, std::ranges::count(some, name) > 0);
    }
  }
}

TEST(Forms, TranspositionsAreLeftWhereLayoutsMeetOnly) {
  const Graph graph = residual_block();
  EXPECT_EQ(count(graph, "transpose"), 2U);  // at the ends: models are channels first
  EXPECT_EQ(
      count(with_channels_first(graph, {"zero", "pool", "first", "second", "third"}), "transpose"), 0U);
  EXPECT_EQ(count(with_channels_first(graph, {"third"}), "transpose"), 2U) << "before it, not after it";
  EXPECT_EQ(count(with_channels_first(graph, {"zero"}), "transpose"), 2U) << "after it, not before it";
  // What `pool` gives is read by two: transposed once.
  EXPECT_EQ(count(with_channels_first(graph, {"first", "second"}), "transpose"), 4U);
  EXPECT_EQ(count(with_channels_first(graph, {"pool"}), "transpose"), 4U);
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
