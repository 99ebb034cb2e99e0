#include "graph/from_model.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/verify.h"
#include "tests/tensors.h"
#include "tests/unit/graph/models.h"

namespace hone::graph {
namespace {

using test::f32;
using test::i64;
using test::model_of;
using test::numbers;
using Numbers = std::vector<double>;

std::string name_of(const Graph& graph, ValueId id) {
  return graph.values[static_cast<std::size_t>(id)].name;
}

// What `from_model` says of the model, and its hint on a second line.
std::string complaint(const model::Model& model, const ImportOptions& options = {}) {
  try {
    from_model(model, options);
  } catch (const UserError& error) {
    return error.what() + std::string(error.hint().empty() ? "" : "\n") + error.hint();
  }
  return {};
}

TEST(FromModel, KeepsTheNamesOfInputsOutputsAndValues) {
  const Graph graph =
      from_model(model_of({{"x", {2, 3}}}, {"y"}, {{"Relu", {"x"}, {"h"}}, {"Exp", {"h"}, {"y"}}}));
  verify(graph);
  EXPECT_EQ(name_of(graph, graph.inputs[0]), "x");
  EXPECT_EQ(name_of(graph, graph.outputs[0]), "y");
  EXPECT_EQ(name_of(graph, graph.nodes[0].outputs[0]), "h");
}

TEST(FromModel, ReadsNodesInAnOrderThatCanRunWhateverTheFileHas) {
  const Graph graph =
      from_model(model_of({{"x", {2}}}, {"y"}, {{"Exp", {"h"}, {"y"}}, {"Relu", {"x"}, {"h"}}}));
  verify(graph);
  EXPECT_EQ(graph.nodes.size(), 2U);
}

TEST(FromModel, LeavesOutWhatNoOutputNeedsEvenIfItCannotBeRead) {
  const Graph graph =
      from_model(model_of({{"x", {2}}}, {"y"}, {{"Relu", {"x"}, {"y"}}, {"Nonsense", {"x"}, {"z"}}}));
  EXPECT_EQ(graph.nodes.size(), 1U);
}

TEST(FromModel, OutputsAreValuesOfTheirOwn) {
  const Graph graph = from_model(
      model_of({{"x", {2}}}, {"a", "b", "c"},
               {{"Identity", {"x"}, {"a"}}, {"Relu", {"x"}, {"b"}}, {"Identity", {"b"}, {"c"}}}));
  verify(graph);
  const auto outputs = evaluate(graph, std::vector{f32({2}, {-1, 1})});
  EXPECT_EQ(name_of(graph, graph.outputs[0]), "a");
  EXPECT_EQ(name_of(graph, graph.outputs[2]), "c");
  EXPECT_EQ(numbers(outputs[0]), (Numbers{-1, 1}));
  EXPECT_EQ(numbers(outputs[2]), (Numbers{0, 1}));
}

TEST(FromModel, WorksOutShapesThatAreComputed) {
  // reshape(x, concat(shape(x)[0:1], [-1]))
  model::Model model = model_of({{"x", {2, 3, 4}}}, {"y"},
                                {{"Shape", {"x"}, {"s"}},
                                 {"Gather", {"s", "zero"}, {"n"}},
                                 {"Concat", {"n", "rest"}, {"t"}, {{"axis", std::int64_t{0}}}},
                                 {"Reshape", {"x", "t"}, {"y"}}});
  model.graph.initializers = {{"zero", i64({1}, {0})}, {"rest", i64({1}, {-1})}};
  const Graph graph = from_model(model);
  ASSERT_EQ(graph.nodes.size(), 1U);
  EXPECT_EQ(graph.values[static_cast<std::size_t>(graph.outputs[0])].type.shape, (Shape{2, 12}));
}

TEST(FromModel, ScalarConstantsBecomeLiterals) {
  model::Model model = model_of({{"x", {2}}}, {"y"}, {{"Mul", {"x", "half"}, {"y"}}});
  model.graph.initializers = {{"half", f32({1}, {0.5})}};
  const Graph graph = from_model(model);
  EXPECT_EQ(graph.nodes[0].inputs.size(), 1U);
  EXPECT_EQ(numbers(evaluate(graph, std::vector{f32({2}, {2, 4})})[0]), (Numbers{1, 2}));
}

TEST(FromModel, AConditionThatIsKnownLeavesOneBranch) {
  auto then_branch = std::make_shared<model::Nodes>();
  then_branch->nodes = {{"", "", "Relu", {"x"}, {"t"}, {}}};
  then_branch->outputs = {"t"};
  auto else_branch = std::make_shared<model::Nodes>();
  else_branch->nodes = {{"", "", "Nonsense", {"x"}, {"e"}, {}}};
  else_branch->outputs = {"e"};
  model::Model model =
      model_of({{"x", {2}}}, {"y"},
               {{"Less", {"one", "two"}, {"is_less"}},
                {"If",
                 {"is_less"},
                 {"y"},
                 {{"then_branch", std::shared_ptr<const model::Nodes>(then_branch)},
                  {"else_branch", std::shared_ptr<const model::Nodes>(else_branch)}}}});
  model.graph.initializers = {{"one", i64({}, {1})}, {"two", i64({}, {2})}};
  const Graph graph = from_model(model);
  verify(graph);
  EXPECT_EQ(numbers(evaluate(graph, std::vector{f32({2}, {-1, 1})})[0]), (Numbers{0, 1}));
}

TEST(FromModel, OpenDimensionsAreGivenByOptionsOrBySharedSymbols) {
  model::Model model = model_of({{"a", {1, 3}}, {"b", {1, 3}}}, {"y"}, {{"Add", {"a", "b"}, {"y"}}});
  for (model::Port& port : model.inputs) (*port.shape)[0] = {std::nullopt, "batch"};
  const Graph graph = from_model(model, {.shapes = {{"a", {8, 3}}}, .bound = {}});
  EXPECT_EQ(graph.values[static_cast<std::size_t>(graph.outputs[0])].type.shape, (Shape{8, 3}));
}

TEST(FromModel, BoundInputsAreConstants) {
  model::Model model = model_of({{"x", {4}}, {"shape", {2}, ir::Scalar::I64}}, {"y"},
                                {{"Reshape", {"x", "shape"}, {"y"}}});
  const Graph graph = from_model(model, {.shapes = {}, .bound = {{"shape", i64({2}, {2, 2})}}});
  ASSERT_EQ(graph.inputs.size(), 1U);
  EXPECT_EQ(graph.values[static_cast<std::size_t>(graph.outputs[0])].type.shape, (Shape{2, 2}));
}

TEST(FromModelError, AllOperatorsThatCannotBeReadAtOnce) {
  const model::Model model = model_of(
      {{"x", {2}}}, {"y"}, {{"Det", {"x"}, {"a"}}, {"Unique", {"a"}, {"b"}}, {"Det", {"b"}, {"y"}}});
  EXPECT_EQ(complaint(model),
            "`test` uses 2 operators that hone cannot read: Det (2 nodes: a, y), Unique (1 node: b)\n"
            "`hone inspect MODEL --ops` lists every operator and what it becomes");
}

TEST(FromModelError, OperatorsOfOtherDomainsAreNamedWithThem) {
  model::Model model = model_of({{"x", {2}}}, {"y"}, {{"TreeEnsemble", {"x"}, {"y"}}});
  model.graph.nodes[0].domain = "ai.onnx.ml";
  EXPECT_EQ(complaint(model).substr(0, 81),
            "`test` uses 1 operator that hone cannot read: ai.onnx.ml.TreeEnsemble (1 node: y)");
}

TEST(FromModelError, ACycleNamesItsNodes) {
  EXPECT_EQ(complaint(model_of({{"x", {2}}}, {"y"},
                               {{"Add", {"x", "c"}, {"a"}},
                                {"Relu", {"a"}, {"b"}},
                                {"Relu", {"b"}, {"c"}},
                                {"Relu", {"c"}, {"y"}}})),
            "3 nodes read in a circle: `b` -> `c` -> `a`\nthe file is damaged: export the model again");
}

TEST(FromModelError, AValueThatNothingDefines) {
  EXPECT_EQ(complaint(model_of({{"x", {2}}}, {"y"}, {{"Add", {"x", "w"}, {"y"}}})),
            "node `y` (Add) reads `w`, which nothing in the model defines\n"
            "the file lacks an initialiser or an input: export the model again");
  EXPECT_EQ(complaint(model_of({{"x", {2}}}, {"z"}, {{"Relu", {"x"}, {"y"}}})),
            "the list of outputs reads `z`, which nothing in the model defines\n"
            "the file lacks an initialiser or an input: export the model again");
}

TEST(FromModelError, AValueThatIsDefinedTwice) {
  EXPECT_EQ(complaint(model_of({{"x", {2}}}, {"y"}, {{"Relu", {"x"}, {"y"}}, {"Exp", {"x"}, {"y"}}})),
            "`y` is defined twice: by node `y` (Exp) and by node `y` (Relu)\n"
            "the file is damaged: export the model again");
  EXPECT_EQ(
      complaint(model_of({{"x", {2}}}, {"x"}, {{"Relu", {"x"}, {"x"}}})),
      "`x` is defined twice: by node `x` (Relu) and by an input, an initialiser or a value around it\n"
      "the file is damaged: export the model again");
}

TEST(FromModelError, ShapesThatAreOpenComeWithTheOptionThatGivesThem) {
  model::Model model =
      model_of({{"data", {1, 3, 0, 0}}, {"ids", {0, 0}}}, {"y"}, {{"Relu", {"data"}, {"y"}}});
  (*model.inputs[0].shape)[2] = {std::nullopt, "height"};
  (*model.inputs[0].shape)[3] = {std::nullopt, ""};
  (*model.inputs[1].shape)[0] = {std::nullopt, "batch"};
  (*model.inputs[1].shape)[1] = {std::nullopt, "length"};
  EXPECT_EQ(complaint(model),
            "the model leaves the shapes of its inputs open: `data` [1, 3, height, ?], `ids` [batch, "
            "length]\n"
            "choose, for example, `--shape data=1x3x224x224 --shape ids=1x128`");
}

TEST(FromModelError, OptionsThatDoNotFitTheModel) {
  const model::Model model = model_of({{"data", {1, 3}}}, {"y"}, {{"Relu", {"data"}, {"y"}}});
  EXPECT_EQ(complaint(model, {.shapes = {{"date", {1, 3}}}, .bound = {}}),
            "--shape names `date`, which is no input of the model\ndid you mean 'data'?");
  EXPECT_EQ(complaint(model, {.shapes = {{"data", {2, 3}}}, .bound = {}}),
            "input `data` is [1, 3] in the model, which [2, 3] does not fit\n"
            "only dimensions that the model leaves open can be chosen, those of one name alike");
  EXPECT_EQ(complaint(model, {.shapes = {}, .bound = {{"data", i64({1, 3}, {1, 2, 3})}}}),
            "input `data` is of type float32, its constant of type int64");
}

TEST(FromModelError, AnInputThatMustBeKnownIsNamedWithTheOptionThatBindsIt) {
  EXPECT_EQ(complaint(model_of({{"x", {4}}, {"shape", {2}, ir::Scalar::I64}}, {"y"},
                               {{"Reshape", {"x", "shape"}, {"y"}}})),
            "node `y` (Reshape): its shape, `shape`, must be known when the model is read\n"
            "when it is always the same, make it a constant: `--bind shape=FILE`");
}

const std::string kContradiction =
    "\nthe model contradicts itself there, or --shape and --bind do not fit it: export it again, or "
    "correct them";

TEST(FromModelError, AttributesOfAnotherType) {
  EXPECT_EQ(complaint(model_of({{"x", {4}}}, {"y"},
                               {{"LeakyRelu", {"x"}, {"y"}, {{"alpha", std::string("much")}}}})),
            "node `y` (LeakyRelu): its attribute `alpha` is not a number" + kContradiction);
}

TEST(FromModelError, InputsOfTheWrongTypeOrLeftOut) {
  EXPECT_EQ(complaint(model_of({{"x", {4}}, {"i", {4}, ir::Scalar::I64}}, {"y"},
                               {{"Add", {"x", "i"}, {"y"}}})),
            "node `y` (Add): its inputs differ in type: float32 and int64" + kContradiction);
  EXPECT_EQ(complaint(model_of({{"i", {4}, ir::Scalar::I64}}, {"y"}, {{"Exp", {"i"}, {"y"}}})),
            "node `y` (Exp): its input 1 is of type int64, not a float" + kContradiction);
  EXPECT_EQ(complaint(model_of({{"x", {4}}}, {"y"}, {{"Add", {"x"}, {"y"}}})),
            "node `y` (Add): its input 2 is left out" + kContradiction);
}

TEST(FromModelError, OutputsThatAreNotComputed) {
  const std::vector<std::int64_t> kernel{2};
  EXPECT_EQ(complaint(model_of({{"x", {1, 1, 4}}}, {"z"}, {{"Dropout", {"x"}, {"y", "m", "z"}, {}}})),
            "`z` is read, an output of node `y` (Dropout) that hone does not compute");
}

TEST(FromModelError, OpsetsNewerThanHone) {
  model::Model model = model_of({{"x", {4}}}, {"y"}, {{"Relu", {"x"}, {"y"}}});
  model.opsets[""] = 99;
  EXPECT_EQ(complaint(model),
            "the model uses opset 99, hone reads those up to 21\nexport it again with opset 21");
}

TEST(FromModelError, AbsurdShapes) {
  const std::int64_t huge = std::int64_t{1} << 31;
  EXPECT_NE(complaint(model_of({{"x", {huge, huge, huge}}}, {"y"}, {{"Relu", {"x"}, {"y"}}})), "");
}

}  // namespace
}  // namespace hone::graph
