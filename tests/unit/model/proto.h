// Messages of ONNX made in a few words, right or wrong.
#pragma once
#include <onnx/onnx_pb.h>

#include <fstream>
#include <span>
#include <string>

#include "base/error.h"
#include "model/read.h"

namespace hone::model {

inline void add_port(onnx::ValueInfoProto& value, const std::string& name,
                     std::initializer_list<std::int64_t> shape) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx::TensorProto::FLOAT);
  for (const auto extent : shape) tensor.mutable_shape()->add_dim()->set_dim_value(extent);
}

// y = x + w, where w has two elements.
inline onnx::ModelProto add_model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("by hand");
  model.add_opset_import()->set_version(17);
  auto& graph = *model.mutable_graph();
  graph.set_name("add");
  add_port(*graph.add_input(), "x", {2});
  add_port(*graph.add_output(), "y", {2});
  auto& node = *graph.add_node();
  node.set_name("sum");
  node.set_op_type("Add");
  node.add_input("x");
  node.add_input("w");
  node.add_output("y");
  auto& weight = *graph.add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(2);
  weight.add_float_data(1.5F);
  weight.add_float_data(-2.0F);
  return model;
}

inline onnx::TensorProto& weight_of(onnx::ModelProto& model) {
  return *model.mutable_graph()->mutable_initializer(0);
}

inline Model parse(const onnx::ModelProto& proto, const std::filesystem::path& path = "m.onnx") {
  const std::string bytes = proto.SerializeAsString();
  return parse(std::as_bytes(std::span(bytes)), path);
}

// What the user is told; empty when nothing is wrong. A message without a hint is a failure as well.
inline std::string complaint(const onnx::ModelProto& proto,
                             const std::filesystem::path& path = "m.onnx") {
  try {
    parse(proto, path);
    return "";
  } catch (const UserError& error) {
    return error.hint().empty() ? "no hint" : error.what();
  }
}

inline bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class T>
std::vector<T> elements_of(const Tensor& tensor) {
  const auto elements = tensor.as<T>();
  return {elements.begin(), elements.end()};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace hone::model
