#include "model/read.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <limits>
#include <set>

#include "base/error.h"
#include "base/mapped_file.h"
#include "model/damaged.h"
#include "model/element_type.h"
#include "model/inline_functions.h"
#include "model/take_nodes.h"

namespace hone::model {
namespace {

std::vector<Dimension> dimensions_of(const onnx::TensorShapeProto& shape) {
  std::vector<Dimension> dimensions;
  for (const auto& proto : shape.dim()) {
    auto& dimension = dimensions.emplace_back();
    if (proto.has_dim_param()) dimension.symbol = proto.dim_param();
    if (!proto.has_dim_value() || proto.dim_value() == -1) continue;  // some exporters' "unknown"
    if (proto.dim_value() < 0)
      throw UserError(fmt::format("it has the extent {}", proto.dim_value()), kExportAgain);
    dimension.extent = proto.dim_value();
  }
  return dimensions;
}

void read_type(const onnx::TypeProto& proto, Port& port) {
  if (!proto.has_tensor_type())
    throw UserError("it is no tensor", "hone takes models whose inputs and outputs are tensors");
  const auto& tensor = proto.tensor_type();
  const auto type = scalar_of_onnx(tensor.elem_type());
  if (!type) {
    throw UserError(
        fmt::format("elements of type {} are not supported", onnx_type_name(tensor.elem_type())),
        "cut the model so that it begins and ends with numbers");
  }
  port.type = *type;
  if (tensor.has_shape()) port.shape = dimensions_of(tensor.shape());
}

Port port_of(const onnx::ValueInfoProto& value, bool is_input) {
  Port port{.name = value.name(), .type = ir::Scalar::F32, .shape = {}};
  try {
    if (value.has_type()) {
      read_type(value.type(), port);
    } else if (is_input) {
      throw UserError("it has no type", kExportAgain);
    }
  } catch (const UserError& error) {
    throw UserError(fmt::format("{} `{}`: {}", is_input ? "input" : "output", port.name, error.what()),
                    error.hint());
  }
  return port;
}

std::map<std::string, std::int64_t> opsets_of(const onnx::ModelProto& model) {
  constexpr int kFirstWithOpsets = 3;  // IR version; before it there was only opset 1
  if (model.ir_version() < kFirstWithOpsets) return {{"", 1}};
  std::map<std::string, std::int64_t> opsets;
  for (const auto& opset : model.opset_import()) {
    const auto [place, is_new] = opsets.emplace(plain_domain(opset.domain()), opset.version());
    if (!is_new && place->second != opset.version())
      throw UserError(fmt::format("it imports two opsets of the domain `{}`", opset.domain()),
                      kExportAgain);
  }
  if (opsets.empty()) throw UserError("it does not say which opset it uses", kExportAgain);
  return opsets;
}

Model take_model(onnx::ModelProto& proto, const std::filesystem::path& folder) {
  inline_functions(proto);
  auto& graph = *proto.mutable_graph();
  ExternalData files(folder);
  Model model{.name = graph.name(),
              .producer = proto.producer_name(),
              .opsets = opsets_of(proto),
              .inputs = {},
              .outputs = {},
              .graph = take_nodes(graph, files)};
  for (const auto& entry : proto.metadata_props()) model.metadata[entry.key()] = entry.value();
  if (!proto.producer_version().empty()) model.producer += " " + proto.producer_version();
  if (model.graph.nodes.empty()) throw UserError("its graph has no nodes", kExportAgain);
  if (model.graph.outputs.empty()) throw UserError("its graph has no outputs", kExportAgain);
  for (const auto& input : graph.input()) {
    if (!model.graph.initializers.contains(input.name())) model.inputs.push_back(port_of(input, true));
  }
  std::set<std::string> outputs;
  for (const auto& output : graph.output()) {
    if (!outputs.insert(output.name()).second)
      throw UserError(fmt::format("the output `{}` is listed twice", output.name()), kExportAgain);
    model.outputs.push_back(port_of(output, false));
  }
  return model;
}

}  // namespace

Model parse(std::span<const std::byte> bytes, const std::filesystem::path& path) {
  if (bytes.size() > std::numeric_limits<int>::max()) {
    throw UserError(fmt::format("{} is larger than the 2 GB that an ONNX file may have", path.string()),
                    "save the model with external data");
  }
  onnx::ModelProto proto;
  const bool is_message = proto.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()));
  if (!is_message || !proto.has_graph() || proto.ir_version() < 1) {
    throw UserError(fmt::format("{} is no ONNX model", path.string()),
                    "the file is damaged, cut short, or of another kind");
  }
  try {
    return take_model(proto, path.parent_path());
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path.string(), error.what()), error.hint());
  }
}

Model read(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  return parse(file.bytes, path);
}

}  // namespace hone::model
