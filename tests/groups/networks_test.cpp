// Built-in networks cut into tasks: few groups, and layers that are alike are one task.
#include <gtest/gtest.h>

#include <set>

#include "graph/from_model.h"
#include "graph/passes.h"
#include "model/builtin.h"
#include "task/from_graph.h"
#include "task/key.h"

namespace hone::groups {
namespace {

struct Cut {
  std::size_t groups = 0;
  std::size_t anchors = 0;            // groups with a convolution or a product
  std::set<std::string> keys, names;  // of the tasks
};

Cut cut(const std::string& network, graph::Layout layout) {
  const graph::Graph graph =
      graph::run_passes(graph::from_model(model::builtin(network)), {.layout = layout});
  Cut result;
  for (const graph::Group& group : graph::fuse(graph)) {
    ++result.groups;
    for (const int n : group.nodes) {
      const graph::Operator& op = graph.nodes[static_cast<std::size_t>(n)].op;
      result.anchors += std::holds_alternative<graph::Conv>(op) ? 1 : 0;
      result.anchors += std::holds_alternative<graph::MatMul>(op) ? 1 : 0;
    }
    const task::Task task = task::from_graph(graph, group).task;
    result.keys.insert(task::tvm_key(task));
    result.names.insert(task.name.substr(0, task.name.find(' ')));
  }
  return result;
}

TEST(Networks, ResNet50HasAGroupForEachConvolution) {
  for (const graph::Layout layout : {graph::Layout::ChannelsFirst, graph::Layout::ChannelsLast}) {
    const Cut resnet = cut("resnet50", layout);
    EXPECT_EQ(resnet.anchors, 54U);                // 53 convolutions and the last product
    EXPECT_EQ(resnet.groups, resnet.anchors + 2);  // two pools
    EXPECT_LE(resnet.keys.size(), 31U);
    EXPECT_TRUE(resnet.names.contains("conv+bias_add+add+relu"));
  }
}

TEST(Networks, TheLayersOfBertAreOneLayer) {
  const Cut bert = cut("bert_base", graph::Layout::ChannelsLast);
  EXPECT_EQ(bert.anchors, 12U * 8 + 1);
  EXPECT_LE(bert.groups, 12U * 11 + 8);
  EXPECT_LE(bert.keys.size(), 14U);
}

}  // namespace
}  // namespace hone::groups
