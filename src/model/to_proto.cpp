#include "model/to_proto.h"

#include <onnx/onnx_pb.h>

#include <ostream>

#include "base/match.h"
#include "model/element_type.h"

namespace hone::model {
namespace {

constexpr std::int64_t kIrVersion = 8;
constexpr std::int64_t kAlignment = 64;    // of elements in a data file: they are mapped
constexpr std::size_t kKeptInside = 1024;  // bytes; shapes and such, which others read without the data

void to_proto(const Nodes& nodes, onnx::GraphProto& proto, DataFile* data);

void to_proto(const Attribute& attribute, onnx::AttributeProto& proto) {
  using Proto = onnx::AttributeProto;
  match(
      attribute,
      [&](std::int64_t value) {
        proto.set_type(Proto::INT);
        proto.set_i(value);
      },
      [&](double value) {
        proto.set_type(Proto::FLOAT);
        proto.set_f(static_cast<float>(value));
      },
      [&](const std::string& value) {
        proto.set_type(Proto::STRING);
        proto.set_s(value);
      },
      [&](const Tensor& value) {
        proto.set_type(Proto::TENSOR);
        model::to_proto(value, *proto.mutable_t());
      },
      [&](const std::vector<std::int64_t>& values) {
        proto.set_type(Proto::INTS);
        for (const std::int64_t value : values) proto.add_ints(value);
      },
      [&](const std::vector<double>& values) {
        proto.set_type(Proto::FLOATS);
        for (const double value : values) proto.add_floats(static_cast<float>(value));
      },
      [&](const std::vector<std::string>& values) {
        proto.set_type(Proto::STRINGS);
        for (const std::string& value : values) proto.add_strings(value);
      },
      [&](const std::shared_ptr<const Nodes>& value) {
        proto.set_type(Proto::GRAPH);
        to_proto(*value, *proto.mutable_g(), nullptr);
        for (const std::string& input : value->inputs) proto.mutable_g()->add_input()->set_name(input);
        for (const std::string& output : value->outputs)
          proto.mutable_g()->add_output()->set_name(output);
      });
}

// Without its ports, of which a model knows more than a subgraph.
void to_proto(const Nodes& nodes, onnx::GraphProto& proto, DataFile* data) {
  for (const Node& node : nodes.nodes) {
    auto& written = *proto.add_node();
    if (!node.name.empty()) written.set_name(node.name);
    if (!node.domain.empty()) written.set_domain(node.domain);
    written.set_op_type(node.op);
    for (const std::string& input : node.inputs) written.add_input(input);
    for (const std::string& output : node.outputs) written.add_output(output);
    for (const auto& [name, attribute] : node.attributes) {
      auto& entry = *written.add_attribute();
      entry.set_name(name);
      to_proto(attribute, entry);
    }
  }
  for (const auto& [name, tensor] : nodes.initializers) {
    auto& written = *proto.add_initializer();
    written.set_name(name);
    to_proto(tensor, written, data);
  }
}

void to_proto(const Port& port, onnx::ValueInfoProto& proto) {
  proto.set_name(port.name);
  auto& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_of_scalar(port.type));
  if (!port.shape) return;
  auto& shape = *type.mutable_shape();
  for (const Dimension& dimension : *port.shape) {
    auto& written = *shape.add_dim();
    if (dimension.extent) {
      written.set_dim_value(*dimension.extent);
    } else if (!dimension.symbol.empty()) {
      written.set_dim_param(dimension.symbol);
    }
  }
}

void add_entry(onnx::TensorProto& proto, const std::string& key, const std::string& value) {
  auto& entry = *proto.add_external_data();
  entry.set_key(key);
  entry.set_value(value);
}

}  // namespace

std::int64_t DataFile::place(const Tensor& tensor) {
  const std::int64_t begin = (end_ + kAlignment - 1) / kAlignment * kAlignment;
  tensors_.emplace_back(begin, tensor);
  end_ = begin + static_cast<std::int64_t>(tensor.bytes().size());
  return begin;
}

void DataFile::write(std::ostream& file) const {
  std::int64_t written = 0;
  for (const auto& [begin, tensor] : tensors_) {
    for (; written < begin; ++written) file.put('\0');
    const auto size = static_cast<std::streamsize>(tensor.bytes().size());
    file.write(reinterpret_cast<const char*>(tensor.bytes().data()), size);
    written += size;
  }
}

void to_proto(const Tensor& tensor, onnx::TensorProto& proto, DataFile* data) {
  proto.set_data_type(onnx_of_scalar(tensor.type()));
  for (const std::int64_t extent : tensor.shape()) proto.add_dims(extent);
  const auto bytes = tensor.bytes();
  if (data == nullptr || bytes.size() < kKeptInside) {
    proto.set_raw_data(bytes.data(), bytes.size());
    return;
  }
  proto.set_data_location(onnx::TensorProto::EXTERNAL);
  add_entry(proto, "location", data->location());
  add_entry(proto, "offset", std::to_string(data->place(tensor)));
  add_entry(proto, "length", std::to_string(bytes.size()));
}

void to_proto(const Model& model, onnx::ModelProto& proto, DataFile* data) {
  proto.set_ir_version(kIrVersion);
  proto.set_producer_name(model.producer);
  for (const auto& [domain, version] : model.opsets) {
    auto& opset = *proto.add_opset_import();
    opset.set_domain(domain);
    opset.set_version(version);
  }
  for (const auto& [key, value] : model.metadata) {
    auto& entry = *proto.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  auto& graph = *proto.mutable_graph();
  graph.set_name(model.name);
  to_proto(model.graph, graph, data);
  for (const Port& input : model.inputs) to_proto(input, *graph.add_input());
  for (const Port& output : model.outputs) to_proto(output, *graph.add_output());
}

}  // namespace hone::model
