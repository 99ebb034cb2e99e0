// Networks whose layers lie in memory in different ways: each compiled group computes what the graph
// says, and the graph what it said in its plain form.
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/evaluate.h"
#include "graph/forms.h"
#include "graph/passes.h"
#include "model/compare.h"
#include "tests/groups/operator_cases.h"

namespace hone::groups {
namespace {

using graph::Form;

// What networks for small machines are made of: a first layer, then wide and narrow ones in turn with a
// residual, a pool at the end. Of 8, 24 and 6 channels.
graph::Graph mobile_network() {
  GraphDraft d;
  const auto conv = [&](ValueId x, std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
    const std::int64_t from = d.builder().type(x).shape[1];
    const graph::Conv op{window({kernel, kernel}, stride, kernel / 2)};
    const ValueId out = d.op(op, {x, d.weight({channels, from, kernel, kernel})});
    return d.binary(BinaryOp::Add, out, d.weight({channels, 1, 1}));
  };
  const auto depthwise = [&](ValueId x) {
    const std::int64_t channels = d.builder().type(x).shape[1];
    return d.op(graph::clip(Scalar::F32, 0, 6), {d.op(graph::Conv{window({3, 3}, 1, 1), channels},
                                                      {x, d.weight({channels, 1, 3, 3})})});
  };
  const ValueId first = d.relu(conv(d.input({1, 3, 13, 11}), 8, 3, 2));
  const ValueId wide = depthwise(d.relu(conv(first, 24, 1, 1)));
  const ValueId sum = d.binary(BinaryOp::Add, conv(wide, 8, 1, 1), first);
  const ValueId narrow = conv(depthwise(d.relu(conv(sum, 24, 1, 1))), 6, 1, 1);
  const ValueId pooled =
      d.op(graph::Pool{Reduction::Max, window({3, 3}, 2, 1)}, {conv(narrow, 24, 3, 1)});
  return graph::run_passes(d.builder().finish({pooled}));
}

// Every group in one of the forms that it has: the first of `wanted`, in turn, that it has.
graph::Graph formed(const graph::Graph& graph, const std::vector<Form>& wanted, std::int64_t lanes) {
  std::map<int, Form> forms;
  std::size_t next = 0;
  for (const graph::Group& group : graph::fuse(graph)) {
    const std::vector<Form> all = graph::forms(graph, group, lanes);
    const Form form = wanted[next++ % wanted.size()];
    if (std::ranges::count(all, form) > 0) forms[group.nodes[0]] = form;
  }
  return graph::in_forms(graph, forms, lanes);
}

class Forms : public testing::TestWithParam<int> {};

TEST_P(Forms, ComputeWhatTheGraphSays) {
  using enum Form;
  const graph::Graph plain = mobile_network();
  const std::vector<graph::Tensor> inputs = random_inputs(plain, 1);
  const std::vector<graph::Tensor> wanted = graph::evaluate(plain, inputs);
  for (const std::vector<Form>& forms :
       std::vector<std::vector<Form>>{{Blocked}, {Blocked, Plain}, {ChannelsFirst, Blocked, Blocked}}) {
    const graph::Graph subject = formed(plain, forms, GetParam());
    EXPECT_LT(model::relative_error(graph::evaluate(subject, inputs)[0], wanted[0]), 1e-5);
    const Outcome outcome = run_groups(subject, inputs, target::host());
    EXPECT_EQ(outcome.fault, "");
    EXPECT_GE(outcome.kernels, static_cast<int>(graph::fuse(plain).size()));
  }
}

// Blocks of 16 hold none of the channels: then there is nothing to choose.
INSTANTIATE_TEST_SUITE_P(groups, Forms, testing::Values(2, 4, 8, 16));

}  // namespace
}  // namespace hone::groups
