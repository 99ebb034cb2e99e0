#include "model/builtin.h"

#include <gtest/gtest.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "model/to_proto.h"

namespace hone::model {
namespace {

struct Published {
  const char* name;
  std::int64_t parameters;
  double giga_macs;  // multiply-adds of convolutions and matrix products
};

// Parameters and multiply-adds as torchvision states them for its weights, BERT's parameters as its
// authors' files have them. The others' multiply-adds follow from their layers: BERT's are
// layers * sequence * (12 width^2 + 2 sequence width) and the pooler, DCGAN's weights * positions.
void PrintTo(const Published& network, std::ostream* out) { *out << network.name; }
constexpr Published kPublished[] = {
    {"resnet18", 11'689'512, 1.814},    {"resnet50", 25'557'032, 4.089},
    {"resnext50", 25'028'904, 4.23},    {"mobilenet_v2", 3'504'872, 0.301},
    {"vgg16", 138'357'544, 15.47},      {"squeezenet", 1'235'496, 0.349},
    {"densenet121", 7'978'856, 2.834},  {"inception_v3", 23'834'568, 5.713},
    {"r3d_18", 33'371'472, 40.697},     {"dcgan", 3'576'704, 0.1046},
    {"bert_base", 109'482'240, 11.174}, {"bert_tiny", 4'385'920, 0.0587},
};

std::int64_t parameters(const Model& model) {
  std::set<std::string> statistics;  // of normalisations: measured, not learned
  for (const Node& node : model.graph.nodes) {
    if (node.op == "BatchNormalization") statistics.insert(node.inputs.begin() + 3, node.inputs.end());
  }
  std::int64_t count = 0;
  for (const auto& [name, tensor] : model.graph.initializers) {
    if (tensor.type() == ir::Scalar::F32 && !tensor.shape().empty() && !statistics.contains(name))
      count += tensor.size();
  }
  return count;
}

// The shapes of all values as ONNX's own inference finds them; it is strict about what it does not
// like.
std::map<std::string, Shape> shapes_of(const Model& model) {
  DataFile data("weights");  // left out: nobody looks at them
  onnx::ModelProto proto;
  to_proto(model, proto, &data);
  for (auto& output : *proto.mutable_graph()->mutable_output())
    output.mutable_type()->mutable_tensor_type()->clear_shape();
  onnx::shape_inference::InferShapes(proto, onnx::OpSchemaRegistry::Instance(), {true, 1, true});
  std::map<std::string, Shape> shapes;
  const auto note = [&](const auto& values) {
    for (const auto& value : values) {
      Shape& shape = shapes[value.name()];
      for (const auto& dim : value.type().tensor_type().shape().dim()) shape.push_back(dim.dim_value());
    }
  };
  note(proto.graph().input());
  note(proto.graph().value_info());
  note(proto.graph().output());
  for (const auto& tensor : proto.graph().initializer())
    shapes[tensor.name()] = {tensor.dims().begin(), tensor.dims().end()};
  return shapes;
}

std::int64_t macs(const Model& model, const std::map<std::string, Shape>& shapes) {
  std::int64_t count = 0;
  for (const Node& node : model.graph.nodes) {
    const auto shape = [&](std::size_t i) { return shapes.at(node.inputs.at(i)); };
    const std::int64_t results = elements(shapes.at(node.outputs.at(0)));
    if (node.op == "Conv") count += results * elements(shape(1)) / shape(1)[0];
    if (node.op == "ConvTranspose") count += elements(shape(0)) * elements(shape(1)) / shape(1)[0];
    if (node.op == "MatMul" || node.op == "Gemm") count += results * shape(0).back();
  }
  return count;
}

class Builtin : public testing::TestWithParam<Published> {};

TEST_P(Builtin, IsThePublishedNetwork) {
  const Model model = builtin(GetParam().name);
  EXPECT_EQ(parameters(model), GetParam().parameters);
  const auto shapes = shapes_of(model);
  EXPECT_NEAR(static_cast<double>(macs(model, shapes)) / 1e9, GetParam().giga_macs,
              0.003 * GetParam().giga_macs);
  for (const Port& output : model.outputs) {
    Shape said;
    for (const Dimension& dimension : *output.shape) said.push_back(*dimension.extent);
    EXPECT_EQ(said, shapes.at(output.name)) << output.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Builtin, testing::ValuesIn(kPublished),
                         [](const auto& network) { return network.param.name; });

TEST(Builtins, AllAreTested) { EXPECT_EQ(std::size(kPublished), builtin_names().size()); }

TEST(Builtins, AnUnknownNameGivesTheNearest) {
  try {
    builtin("resnet5O");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(error.hint().find("resnet50"), std::string::npos) << error.hint();
  }
}

TEST(Builtins, WeightsAreTheSameEveryTime) {
  const Model first = builtin("squeezenet"), second = builtin("squeezenet");
  for (const auto& [name, tensor] : first.graph.initializers)
    EXPECT_TRUE(std::ranges::equal(tensor.bytes(), second.graph.initializers.at(name).bytes())) << name;
}

TEST(Builtins, WeightsHaveTheScaleOfTheirLayer) {
  const Model model = builtin("vgg16");
  const auto weights = model.graph.initializers.at("features.2.weight").as<float>();
  double sum = 0, squares = 0;
  for (const float weight : weights) {
    sum += weight;
    squares += static_cast<double>(weight) * weight;
  }
  const auto count = static_cast<double>(weights.size());
  EXPECT_NEAR(sum / count, 0, 0.001);
  EXPECT_NEAR(squares / count, 2.0 / (64 * 9), 0.02 * 2.0 / (64 * 9));
}

}  // namespace
}  // namespace hone::model
