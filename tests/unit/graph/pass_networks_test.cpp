// Networks that everybody knows, after all passes.
#include <map>

#include "graph/from_model.h"
#include "model/builtin.h"
#include "tests/unit/graph/pass_checks.h"

namespace hone::graph {
namespace {

using Counts = std::map<std::string, std::size_t, std::less<>>;

Counts counts(const Graph& graph) {
  Counts result;
  for (const Node& node : graph.nodes) ++result[std::string(name_of(node.op))];
  return result;
}

Graph optimised(std::string_view name) { return run_passes(from_model(model::builtin(name))); }

// Convolutions with their bias and activation in one Map, residual sums among them; only the image is
// transposed.
TEST(Networks, ResNet50) {
  EXPECT_EQ(counts(optimised("resnet50")), (Counts{{"conv", 53},
                                                   {"map", 51},
                                                   {"matmul", 1},
                                                   {"pool", 1},
                                                   {"reduce", 1},
                                                   {"reshape", 1},
                                                   {"transpose", 1}}));
}

// The first project convolution has no bias of its own: it goes into the convolution behind it.
TEST(Networks, MobileNetV2) {
  EXPECT_EQ(
      counts(optimised("mobilenet_v2")),
      (Counts{
          {"conv", 52}, {"map", 52}, {"matmul", 1}, {"reduce", 1}, {"reshape", 1}, {"transpose", 1}}));
}

TEST(Networks, OnlyImagesAreTransposed) {
  for (const char* name : {"densenet121", "inception_v3", "squeezenet", "r3d_18"}) {
    const Graph graph = optimised(name);
    EXPECT_EQ(count(graph, "transpose"), 1U) << name;
    for (const Node& node : graph.nodes) {
      const auto* conv = std::get_if<Conv>(&node.op);
      EXPECT_TRUE(!conv || conv->window.layout == Layout::ChannelsLast) << name;
    }
  }
}

TEST(Networks, DcganComputesTheSame) {
  const Graph before = from_model(model::builtin("dcgan")), result = run_passes(before);
  EXPECT_EQ(counts(result),
            (Counts{{"conv_transpose", 5}, {"map", 5}, {"reshape", 1}, {"transpose", 1}}));
  expect_same_results(before, result);
}

TEST(Networks, BertTinyComputesTheSame) {
  const Graph before = from_model(model::builtin("bert_tiny"));
  std::vector<Tensor> inputs;  // words, which of them are there, and which of two sentences they are in
  for (const std::uint64_t stream : {0, 1, 2}) {
    const Tensor bits = test::random_tensor(ir::Scalar::Bool, {1, 128}, 3, stream);
    inputs.push_back(test::i64({1, 128}, test::numbers(bits)));
  }
  PassOptions options;
  for (const bool is_joined : {false, true}) {
    options.join_matmuls = is_joined;
    const Graph result = run_passes(before, options);
    EXPECT_EQ(count(result, "matmul"), is_joined ? 13U : 17U);
    expect_same_results(before, result, inputs);
  }
}

}  // namespace
}  // namespace hone::graph
