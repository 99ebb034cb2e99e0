#include "model/inline_functions.h"

#include <gtest/gtest.h>

#include "proto.h"

namespace hone::model {
namespace {

onnx::NodeProto& add_node(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                          const std::string& op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
  auto& node = *nodes.Add();
  node.set_op_type(op);
  for (const auto& input : inputs) node.add_input(input);
  for (const auto& output : outputs) node.add_output(output);
  return node;
}

onnx::FunctionProto& add_function(onnx::ModelProto& model, const std::string& name,
                                  const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& outputs) {
  auto& function = *model.add_functions();
  function.set_name(name);
  function.set_domain("mine");
  for (const auto& input : inputs) function.add_input(input);
  for (const auto& output : outputs) function.add_output(output);
  return function;
}

// A model whose only node calls mine.Outer on x and w.
onnx::ModelProto calling_model() {
  auto model = add_model();
  auto& node = *model.mutable_graph()->mutable_node(0);
  node.set_op_type("Outer");
  node.set_domain("mine");
  return model;
}

// One node a line: outputs = op(inputs).
std::string listing(const onnx::ModelProto& proto) {
  std::string text;
  for (const Node& node : parse(proto).graph.nodes) {
    for (const auto& output : node.outputs) text += output + " ";
    text += "= " + node.op;
    for (const auto& input : node.inputs) text += " " + input;
    text += "\n";
  }
  return text;
}

TEST(InlineFunctions, CallsBecomeTheNodesOfTheFunction) {
  auto model = calling_model();
  auto& outer = add_function(model, "Outer", {"a", "b"}, {"c"});
  add_node(*outer.mutable_node(), "Mul", {"a", "b"}, {"t"});
  add_node(*outer.mutable_node(), "Inner", {"t"}, {"c"}).set_domain("mine");
  auto& inner = add_function(model, "Inner", {"a", "absent"}, {"t"});
  add_node(*inner.mutable_node(), "Clip", {"a", "absent"}, {"t"});
  EXPECT_EQ(listing(model), "Outer.call0/t = Mul x w\ny = Clip Outer.call0/t \n");
}

TEST(InlineFunctions, AnInputMayBeAnOutput) {
  auto model = calling_model();
  add_function(model, "Outer", {"a", "b"}, {"b"});
  EXPECT_EQ(listing(model), "y = Identity w\n");
}

TEST(InlineFunctions, AttributesComeFromTheCallerOrAreTheDefault) {
  auto model = calling_model();
  auto& outer = add_function(model, "Outer", {"a", "b"}, {"c"});
  auto& node = add_node(*outer.mutable_node(), "Odd", {"a"}, {"c"});
  for (const char* name : {"given", "default", "missing"}) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(std::string("inner_") + name);
    attribute.set_ref_attr_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
  }
  onnx::AttributeProto value;
  value.set_type(onnx::AttributeProto::INT);
  value.set_name("default");
  value.set_i(5);
  outer.mutable_unknown_fields()->AddLengthDelimited(11, value.SerializeAsString());
  value.set_name("given");
  value.set_i(7);
  *model.mutable_graph()->mutable_node(0)->add_attribute() = value;
  const auto attributes = parse(model).graph.nodes.at(0).attributes;
  EXPECT_EQ(std::get<std::int64_t>(attributes.at("inner_given")), 7);
  EXPECT_EQ(std::get<std::int64_t>(attributes.at("inner_default")), 5);
  EXPECT_FALSE(attributes.contains("inner_missing"));
}

TEST(InlineFunctions, SubgraphsAreTranslatedWithTheirFunction) {
  auto model = calling_model();
  auto& outer = add_function(model, "Outer", {"a", "b"}, {"c"});
  auto& attribute = *add_node(*outer.mutable_node(), "If", {"a"}, {"c"}).add_attribute();
  attribute.set_name("then_branch");
  attribute.set_type(onnx::AttributeProto::GRAPH);
  add_node(*attribute.mutable_g()->mutable_node(), "Inner", {"b"}, {"local"}).set_domain("mine");
  attribute.mutable_g()->add_output()->set_name("local");
  auto& inner = add_function(model, "Inner", {"p"}, {"q"});
  add_node(*inner.mutable_node(), "Neg", {"p"}, {"q"});
  const auto attributes = parse(model).graph.nodes.at(0).attributes;
  const auto& branch = *std::get<std::shared_ptr<const Nodes>>(attributes.at("then_branch"));
  EXPECT_EQ(branch.nodes.at(0).op, "Neg");
  EXPECT_EQ(branch.nodes.at(0).inputs.at(0), "w");
  EXPECT_EQ(branch.nodes.at(0).outputs, branch.outputs);
}

TEST(InlineFunctions, RefusesWhatHasNoEnd) {
  auto model = calling_model();
  auto& outer = add_function(model, "Outer", {"a", "b"}, {"c"});
  add_node(*outer.mutable_node(), "Outer", {"a", "b"}, {"c"}).set_domain("mine");
  EXPECT_PRED2(says, complaint(model), "`Outer` calls itself");

  model = calling_model();  // every function calls the next twice
  for (int i = 0; i < 40; ++i) {
    auto& function = add_function(model, i == 0 ? "Outer" : "F" + std::to_string(i), {}, {});
    for (int twice = 0; twice < 2; ++twice)
      add_node(*function.mutable_node(), "F" + std::to_string(i + 1), {}, {}).set_domain("mine");
  }
  EXPECT_PRED2(says, complaint(model), "call each other too often");
}

TEST(InlineFunctions, RefusesWhatHasTwoMeanings) {
  auto model = calling_model();
  add_function(model, "Outer", {}, {});
  add_function(model, "Outer", {}, {});
  EXPECT_PRED2(says, complaint(model), "defines the function `Outer` twice");
  model.mutable_functions()->RemoveLast();
  model.mutable_functions(0)->add_opset_import()->set_version(11);
  EXPECT_PRED2(says, complaint(model), "asks for opset 11");
}

}  // namespace
}  // namespace hone::model
