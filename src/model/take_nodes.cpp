#include "model/take_nodes.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <set>

#include "base/error.h"
#include "model/damaged.h"
#include "model/take_tensor.h"

namespace hone::model {
namespace {

Attribute take_attribute(onnx::AttributeProto& attribute, ExternalData& files) {
  using Proto = onnx::AttributeProto;
  switch (attribute.type()) {
    case Proto::INT:
      return attribute.i();
    case Proto::FLOAT:
      return static_cast<double>(attribute.f());
    case Proto::STRING:
      return attribute.s();
    case Proto::INTS:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case Proto::FLOATS:
      return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
    case Proto::STRINGS:
      return std::vector<std::string>(attribute.strings().begin(), attribute.strings().end());
    case Proto::TENSOR: {
      auto& tensor = *attribute.mutable_t();
      if (tensor.data_type() != onnx::TensorProto::STRING) return take_tensor(tensor, files);
      return std::vector<std::string>(tensor.string_data().begin(), tensor.string_data().end());
    }
    case Proto::GRAPH:
      return std::make_shared<const Nodes>(take_nodes(*attribute.mutable_g(), files));
    case Proto::UNDEFINED:
      throw UserError("it has no type", kExportAgain);
    default:
      throw UserError(fmt::format("attributes of kind {} are not supported",
                                  Proto::AttributeType_Name(attribute.type())),
                      "export the model with another opset, or without this operator");
  }
}

Node take_node(onnx::NodeProto& proto, ExternalData& files) {
  if (proto.op_type().empty()) throw UserError("it has no operator", kExportAgain);
  Node node{.name = proto.name(),
            .domain = plain_domain(proto.domain()),
            .op = proto.op_type(),
            .inputs = {proto.input().begin(), proto.input().end()},
            .outputs = {proto.output().begin(), proto.output().end()},
            .attributes = {}};
  for (auto& attribute : *proto.mutable_attribute()) {
    const auto label = fmt::format("attribute `{}`", attribute.name());
    if (node.attributes.contains(attribute.name()))
      throw UserError(fmt::format("{} is given twice", label), kExportAgain);
    try {
      node.attributes.emplace(attribute.name(), take_attribute(attribute, files));
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}", label, error.what()), error.hint());
    }
  }
  return node;
}

std::string label_of(const onnx::NodeProto& node, std::size_t place) {
  return node.name().empty() ? fmt::format("node {} ({})", place, node.op_type())
                             : fmt::format("node `{}` ({})", node.name(), node.op_type());
}

}  // namespace

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

Nodes take_nodes(onnx::GraphProto& graph, ExternalData& files) {
  Nodes taken;
  std::set<std::string> defined;
  const auto define = [&](const std::string& name) {
    if (!defined.insert(name).second)
      throw UserError(fmt::format("the name `{}` stands for two values", name), kExportAgain);
  };
  if (!graph.sparse_initializer().empty())
    throw UserError("sparse initialisers are not supported", "export the model with dense weights");
  for (auto& initializer : *graph.mutable_initializer()) {
    define(initializer.name());
    taken.initializers.emplace(initializer.name(), take_tensor(initializer, files));
  }
  for (const auto& input : graph.input()) {
    if (taken.initializers.contains(input.name())) continue;
    define(input.name());
    taken.inputs.push_back(input.name());
  }
  for (auto& proto : *graph.mutable_node()) {
    try {
      taken.nodes.push_back(take_node(proto, files));
    } catch (const UserError& error) {
      throw UserError(fmt::format("{}: {}", label_of(proto, taken.nodes.size()), error.what()),
                      error.hint());
    }
    for (const auto& output : taken.nodes.back().outputs) {
      if (!output.empty()) define(output);
    }
  }
  for (const auto& output : graph.output()) taken.outputs.push_back(output.name());
  return taken;
}

}  // namespace hone::model
