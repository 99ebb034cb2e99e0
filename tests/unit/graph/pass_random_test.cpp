// Random graphs compute the same before and after every pass.
#include <string>

#include "base/random.h"
#include "graph/forms.h"
#include "graph/groups.h"
#include "tests/graph_generator/graph_generator.h"
#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

TEST(RandomGraphs, AfterEachPassOfTheList) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Graph graph = test::random_graph(seed);
    const std::vector<Tensor> inputs = test::random_inputs(graph, seed);
    PassOptions options;
    options.join_matmuls = seed % 2 == 1;
    options.layout = seed % 3 == 2 ? Layout::ChannelsFirst : Layout::ChannelsLast;
    options.listener = [&](std::string_view pass, const Graph& now) {
      SCOPED_TRACE(std::string(pass) + " of graph " + std::to_string(seed));
      expect_same_results(graph, now, inputs);
    };
    run_passes(graph, options);
    ASSERT_FALSE(HasFailure());
  }
}

// Each on a graph that no other pass has been over; and a second time, when nothing may be left to do.
TEST(RandomGraphs, AfterEachPassAlone) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Graph graph = test::random_graph(seed);
    const std::vector<Tensor> inputs = test::random_inputs(graph, seed);
    for (const Pass& pass : passes()) {
      SCOPED_TRACE(std::string(pass.name) + " of graph " + std::to_string(seed));
      const Graph once = pass.run(graph);
      verify(once);
      expect_same_results(graph, once, inputs);
      const bool chooses = pass.run == to_channels_last;  // among equally good orders
      if (!chooses) {
        EXPECT_EQ(operators(pass.run(once)), operators(once));
      }
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST(RandomGraphs, WithALayoutForEachConvolution) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("graph " + std::to_string(seed));
    Random random(seed, 0);
    const LayoutOf layout_of = [&](const Node&) {
      return random.below(2) == 0 ? Layout::ChannelsFirst : Layout::ChannelsLast;
    };
    const Graph graph = test::random_graph(seed);
    const std::vector<Tensor> inputs = test::random_inputs(graph, seed);
    const Graph once = choose_layouts(graph, layout_of);
    verify(once);
    expect_same_results(graph, once, inputs);
    const Graph twice = choose_layouts(run_passes(once), layout_of);
    verify(twice);
    expect_same_results(graph, twice, inputs);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(RandomGraphs, WithAFormForEachGroup) {
  int blocked = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("graph " + std::to_string(seed));
    Random random(seed, 1);
    const std::int64_t lanes = 2 + random.below(2);
    const Graph graph = run_passes(test::random_graph(seed));
    std::map<int, Form> some;
    for (const Group& group : fuse(graph)) {
      const std::vector<Form> all = forms(graph, group, lanes);
      Form& form = some[group.nodes[0]];
      form = all[static_cast<std::size_t>(random.below(std::ssize(all)))];
      if (std::ranges::count(all, Form::Blocked) > 0 && random.below(2) == 0) form = Form::Blocked;
      blocked += form == Form::Blocked ? 1 : 0;
    }
    const Graph formed = in_forms(graph, some, lanes);
    verify(formed);
    expect_same_results(graph, formed, test::random_inputs(graph, seed));
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(blocked, 12);
}

TEST(RandomGraphs, OneGraphOneResult) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(print(run_passes(test::random_graph(seed))), print(run_passes(test::random_graph(seed))));
  }
}

}  // namespace
}  // namespace hone::graph
