#include "graph/verify.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "base/error.h"
#include "graph/builder.h"
#include "tests/tensors.h"

namespace hone::graph {
namespace {

using ir::Scalar;

// x -> double -> sum, with a constant.
Graph sound() {
  Builder builder("sound");
  const ValueId x = builder.input("x", {Scalar::F32, {2, 3}});
  const ValueId two = builder.constant(test::f32({}, {2}), "two");
  const ValueId doubled = builder.binary("doubled", ir::BinaryOp::Mul, x, two);
  return builder.finish({builder.apply("total", Reduce{Reduction::Sum, {0, 1}}, {doubled})});
}

// The complaint about a graph; empty when there is none.
std::string complaint(const Graph& graph) {
  try {
    verify(graph);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

// Whether a sound graph is complained about with `part` after something was done to it.
testing::AssertionResult is_found(std::string_view part, const std::function<void(Graph&)>& damage) {
  Graph graph = sound();
  damage(graph);
  const std::string message = complaint(graph);
  if (message.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << message << '"';
}

TEST(Verify, SoundGraphsPass) { EXPECT_EQ(complaint(sound()), ""); }

TEST(Verify, EveryRuleIsChecked) {
  EXPECT_TRUE(is_found("there is no value %9", [](Graph& graph) { graph.outputs = {9}; }));
  EXPECT_TRUE(is_found("there is no value %-1", [](Graph& graph) { graph.nodes[0].inputs[0] = -1; }));
  EXPECT_TRUE(is_found("is used before it is known",
                       [](Graph& graph) { std::swap(graph.nodes[0], graph.nodes[1]); }));
  EXPECT_TRUE(is_found("is used before it is known", [](Graph& graph) { graph.inputs.clear(); }));
  EXPECT_TRUE(is_found("has two origins", [](Graph& graph) { graph.inputs.push_back(0); }));
  EXPECT_TRUE(is_found("has two origins",
                       [](Graph& graph) { graph.nodes[1].outputs = graph.nodes[0].outputs; }));
  EXPECT_TRUE(is_found("has two origins", [](Graph& graph) { graph.nodes[0].outputs = {1}; }));
  EXPECT_TRUE(is_found("an input is a constant", [](Graph& graph) { graph.inputs.push_back(1); }));
  EXPECT_TRUE(is_found("is no input, constant or output of a node",
                       [](Graph& graph) { graph.values.push_back({"lost", {Scalar::F32, {}}, {}}); }));
  EXPECT_TRUE(is_found("no name of its own", [](Graph& graph) { graph.values[1].name = "x"; }));
  EXPECT_TRUE(is_found("no name of its own", [](Graph& graph) { graph.values[1].name.clear(); }));
  EXPECT_TRUE(
      is_found("its constant is no f32[1]", [](Graph& graph) { graph.values[1].type.shape = {1}; }));
  EXPECT_TRUE(is_found("do not have the types that reduce gives",
                       [](Graph& graph) { graph.values[3].type.shape = {}; }));
  EXPECT_TRUE(is_found("do not have the types that map gives",
                       [](Graph& graph) { graph.nodes[0].outputs.clear(); }));
  EXPECT_TRUE(
      is_found("reduce: axis 7", [](Graph& graph) { std::get<Reduce>(graph.nodes[1].op).axes = {7}; }));
  EXPECT_TRUE(is_found("negative extent", [](Graph& graph) { graph.values[0].type.shape = {-2, 3}; }));
}

TEST(Verify, BodiesOfLoopsAreLookedAt) {
  Graph body = sound();
  body.values[3].type.shape = {1, 1};
  Builder builder;
  const ValueId x = builder.input("x", {Scalar::F32, {4, 2, 3}});
  Graph graph = builder.finish({x});
  graph.values.push_back({"sums", {Scalar::F32, {4, 1, 1}}, {}});
  graph.nodes.push_back({"loop", Loop{std::make_shared<Graph>(body), 4, 0, 1}, {x}, {1}});
  EXPECT_EQ(complaint(graph), "");
  body.nodes[0].name = "still sound";
  body.values[1].name = "x";
  std::get<Loop>(graph.nodes[0].op).body = std::make_shared<Graph>(body);
  EXPECT_NE(complaint(graph).find("no name of its own"), std::string::npos);
}

}  // namespace
}  // namespace hone::graph
