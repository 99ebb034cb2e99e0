#include "model/read.h"

#include <gtest/gtest.h>

#include "proto.h"
#include "tests/shared_data.h"

namespace hone::model {
namespace {

TEST(Read, GivesWhatTheFileSays) {
  const std::string path = temporary_file("add.onnx");
  write_file(path, add_model().SerializeAsString());
  const Model model = read(path);
  EXPECT_EQ(model.name, "add");
  EXPECT_EQ(model.producer, "by hand");
  EXPECT_EQ(model.opsets.at(""), 17);
  ASSERT_EQ(model.inputs.size(), 1U);
  EXPECT_EQ(model.inputs[0].name, "x");
  EXPECT_EQ(model.inputs[0].shape->at(0).extent, 2);
  ASSERT_EQ(model.graph.nodes.size(), 1U);
  EXPECT_EQ(model.graph.nodes[0].op, "Add");
  EXPECT_EQ(model.graph.nodes[0].inputs, (std::vector<std::string>{"x", "w"}));
  EXPECT_EQ(elements_of<float>(model.graph.initializers.at("w")), (std::vector<float>{1.5F, -2.0F}));
}

TEST(Read, AnInputThatIsAnInitialiserIsAConstant) {
  auto proto = add_model();
  add_port(*proto.mutable_graph()->add_input(), "w", {2});
  const Model model = parse(proto);
  EXPECT_EQ(model.inputs.size(), 1U);
  EXPECT_EQ(model.graph.inputs, (std::vector<std::string>{"x"}));
}

TEST(Read, DimensionsAreNumbersNamesOrUnknown) {
  auto proto = add_model();
  auto& shape =
      *proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape.add_dim()->set_dim_param("batch");
  shape.add_dim()->set_dim_value(-1);
  const auto dimensions = *parse(proto).inputs[0].shape;
  EXPECT_EQ(dimensions[0].extent, 2);
  EXPECT_EQ(dimensions[1].symbol, "batch");
  EXPECT_FALSE(dimensions[1].extent || dimensions[2].extent);
  EXPECT_EQ(dimensions[2].symbol, "");
}

TEST(Read, TakesNewerVersionsThanTheLibraryKnows) {
  auto proto = add_model();
  proto.set_ir_version(10);
  proto.mutable_opset_import(0)->set_version(21);
  EXPECT_EQ(parse(proto).opsets.at(""), 21);
}

TEST(Read, OldModelsHaveTheFirstOpset) {
  auto proto = add_model();
  proto.set_ir_version(2);
  proto.clear_opset_import();
  EXPECT_EQ(parse(proto).opsets.at(""), 1);
}

TEST(Read, KeepsAttributesAndSubgraphs) {
  auto proto = add_model();
  auto& node = *proto.mutable_graph()->mutable_node(0);
  const auto add = [&](const char* name, onnx::AttributeProto::AttributeType type) -> auto& {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  };
  add("one", onnx::AttributeProto::INT).set_i(7);
  add("half", onnx::AttributeProto::FLOAT).set_f(0.5F);
  add("word", onnx::AttributeProto::STRING).set_s("SAME");
  add("pads", onnx::AttributeProto::INTS).add_ints(3);
  auto& strings = *add("names", onnx::AttributeProto::TENSOR).mutable_t();
  strings.set_data_type(onnx::TensorProto::STRING);
  strings.add_string_data("cat");
  auto& body = *add("body", onnx::AttributeProto::GRAPH).mutable_g();
  *body.mutable_node() = proto.graph().node();
  body.mutable_node(0)->clear_attribute();
  body.add_output()->set_name("y");
  const auto attributes = parse(proto).graph.nodes[0].attributes;
  EXPECT_EQ(std::get<std::int64_t>(attributes.at("one")), 7);
  EXPECT_EQ(std::get<double>(attributes.at("half")), 0.5);
  EXPECT_EQ(std::get<std::string>(attributes.at("word")), "SAME");
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(attributes.at("pads")), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(std::get<std::vector<std::string>>(attributes.at("names")),
            (std::vector<std::string>{"cat"}));
  EXPECT_EQ(std::get<std::shared_ptr<const Nodes>>(attributes.at("body"))->nodes[0].op, "Add");
}

TEST(Read, NoPrefixOfAModelIsReadAsAnother) {
  const std::string whole = add_model().SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      parse(std::as_bytes(std::span(whole).first(size)), "m.onnx");
      ADD_FAILURE() << "a model came out of " << size << " bytes";
    } catch (const UserError& error) {
      EXPECT_FALSE(error.hint().empty());
    }
  }
}

TEST(Read, RefusesWhatIsNoModel) {
  EXPECT_THROW(read(temporary_file("missing.onnx")), UserError);
  EXPECT_THROW(read(testing::TempDir()), UserError);
  auto proto = add_model();
  proto.clear_ir_version();
  EXPECT_PRED2(says, complaint(proto), "is no ONNX model");
  proto = add_model();
  proto.clear_opset_import();
  EXPECT_PRED2(says, complaint(proto), "which opset");
  proto = add_model();
  proto.mutable_graph()->clear_node();
  EXPECT_PRED2(says, complaint(proto), "no nodes");
  proto = add_model();
  proto.mutable_graph()->clear_output();
  EXPECT_PRED2(says, complaint(proto), "no outputs");
}

TEST(Read, RefusesNamesThatStandForTwoThings) {
  auto proto = add_model();
  *proto.mutable_graph()->add_initializer() = proto.graph().initializer(0);
  EXPECT_PRED2(says, complaint(proto), "`w` stands for two");
  proto = add_model();
  *proto.mutable_graph()->add_node() = proto.graph().node(0);
  EXPECT_PRED2(says, complaint(proto), "`y` stands for two");
  proto = add_model();
  *proto.mutable_graph()->add_input() = proto.graph().input(0);
  EXPECT_PRED2(says, complaint(proto), "`x` stands for two");
  proto = add_model();
  *proto.mutable_graph()->add_output() = proto.graph().output(0);
  EXPECT_PRED2(says, complaint(proto), "`y` is listed twice");
}

TEST(Read, RefusesPortsThatAreNoTensorsOfNumbers) {
  auto proto = add_model();
  auto& type = *proto.mutable_graph()->mutable_input(0)->mutable_type();
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto::STRING);
  EXPECT_PRED2(says, complaint(proto), "input `x`: elements of type string");
  type.mutable_sequence_type();
  EXPECT_PRED2(says, complaint(proto), "input `x`: it is no tensor");
  proto.mutable_graph()->mutable_input(0)->clear_type();
  EXPECT_PRED2(says, complaint(proto), "input `x`: it has no type");
  proto = add_model();
  auto& output = *proto.mutable_graph()->mutable_output(0)->mutable_type()->mutable_tensor_type();
  output.mutable_shape()->mutable_dim(0)->set_dim_value(-7);
  EXPECT_PRED2(says, complaint(proto), "output `y`: it has the extent -7");
}

TEST(Read, NamesTheNodeThatIsWrong) {
  auto proto = add_model();
  auto& attribute = *proto.mutable_graph()->mutable_node(0)->add_attribute();
  attribute.set_name("kind");
  EXPECT_PRED2(says, complaint(proto), "node `sum` (Add): attribute `kind`: it has no type");
  attribute.set_type(onnx::AttributeProto::SPARSE_TENSOR);
  EXPECT_PRED2(says, complaint(proto), "SPARSE_TENSOR are not supported");
  attribute.set_type(onnx::AttributeProto::INT);
  *proto.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
  EXPECT_PRED2(says, complaint(proto), "attribute `kind` is given twice");
}

}  // namespace
}  // namespace hone::model
