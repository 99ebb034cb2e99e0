#include "model/inline_functions.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "model/damaged.h"
#include "model/take_nodes.h"

namespace hone::model {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// Calls of calls can multiply without end.
constexpr int kDeepest = 64;
constexpr int kMostNodes = 300'000;
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

constexpr int kDefaultsField = 11;  // attribute_proto of a function: younger than the library

// One call: what the names and attributes of the function's nodes become in its caller.
class Call {
 public:
  Call(const onnx::NodeProto& node, const onnx::FunctionProto& function, int number)
      : node_name_(node.name()), prefix_(fmt::format("{}.call{}/", function.name(), number)) {
    for (int i = 0; i < function.unknown_fields().field_count(); ++i) {
      const auto& field = function.unknown_fields().field(i);
      onnx::AttributeProto attribute;
      const bool is_default = field.number() == kDefaultsField &&
                              field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED;
      if (is_default && attribute.ParsePartialFromString(field.length_delimited()))
        attributes_[attribute.name()] = attribute;
    }
    for (const auto& attribute : node.attribute()) attributes_[attribute.name()] = attribute;
    for (int i = 0; i < function.input_size(); ++i)
      names_[function.input(i)] = i < node.input_size() ? node.input(i) : "";
    for (int i = 0; i < std::min(function.output_size(), node.output_size()); ++i) {
      if (!node.output(i).empty()) names_.emplace(function.output(i), node.output(i));
    }
  }

  std::string name(const std::string& inner) const {
    const auto found = names_.find(inner);
    if (found != names_.end()) return found->second;
    return inner.empty() ? inner : prefix_ + inner;
  }

  onnx::NodeProto translate(onnx::NodeProto node) const {
    node.set_name(node_name_ + "/" + node.name());
    for (std::string& input : *node.mutable_input()) input = name(input);
    for (std::string& output : *node.mutable_output()) output = name(output);
    google::protobuf::RepeatedPtrField<onnx::AttributeProto> attributes;
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.ref_attr_name().empty()) {
        if (attribute.has_g()) translate(*attribute.mutable_g());
        *attributes.Add() = std::move(attribute);
      } else if (const auto given = attributes_.find(attribute.ref_attr_name());
                 given != attributes_.end()) {
        *attributes.Add() = given->second;
        attributes.rbegin()->set_name(attribute.name());
      }  // what the caller leaves out and has no default is left out here as well
    }
    *node.mutable_attribute() = std::move(attributes);
    return node;
  }

 private:
  void translate(onnx::GraphProto& graph) const {
    for (auto& input : *graph.mutable_input()) input.set_name(name(input.name()));
    for (auto& output : *graph.mutable_output()) output.set_name(name(output.name()));
    for (auto& tensor : *graph.mutable_initializer()) tensor.set_name(name(tensor.name()));
    for (auto& node : *graph.mutable_node()) node = translate(std::move(node));
  }

  std::string node_name_;
  std::string prefix_;
  std::map<std::string, std::string> names_;
  std::map<std::string, onnx::AttributeProto> attributes_;
};

class Inliner {
 public:
  explicit Inliner(const onnx::ModelProto& model) {
    for (const auto& function : model.functions()) {
      check_opsets(function, model);
      const auto key = std::pair(plain_domain(function.domain()), function.name());
      if (!functions_.emplace(key, &function).second)
        throw UserError(fmt::format("it defines the function `{}` twice", function.name()),
                        kExportAgain);
    }
  }

  void expand(onnx::GraphProto& graph, int depth = 0) {
    Nodes expanded;
    for (auto& node : *graph.mutable_node()) expand(std::move(node), expanded, depth);
    *graph.mutable_node() = std::move(expanded);
  }

 private:
  static void check_opsets(const onnx::FunctionProto& function, const onnx::ModelProto& model) {
    for (const auto& wanted : function.opset_import()) {
      for (const auto& given : model.opset_import()) {
        const bool is_same_domain = plain_domain(wanted.domain()) == plain_domain(given.domain());
        if (!is_same_domain || wanted.version() == given.version()) continue;
        throw UserError(
            fmt::format("its function `{}` asks for opset {} of the domain `{}`, the model for {}",
                        function.name(), wanted.version(), wanted.domain(), given.version()),
            "export the model with functions of its own opset");
      }
    }
  }

  void expand(onnx::NodeProto node, Nodes& to, int depth) {
    n_bytes_ += node.ByteSizeLong();
    if (++n_nodes_ > kMostNodes || n_bytes_ > kMostBytes)
      throw UserError("its functions call each other too often", kExportAgain);
    const auto found = functions_.find({plain_domain(node.domain()), node.op_type()});
    if (found == functions_.end()) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) expand(*attribute.mutable_g(), depth);
      }
      *to.Add() = std::move(node);
      return;
    }
    const onnx::FunctionProto& function = *found->second;
    if (depth == kDeepest)
      throw UserError(fmt::format("its function `{}` calls itself", function.name()), kExportAgain);
    const Call call(node, function, n_calls_++);
    for (const auto& inner : function.node()) expand(call.translate(inner), to, depth + 1);
    pass_inputs_on(node, function, to);
  }

  // An output that is one of the inputs has no node that would carry the caller's name for it.
  static void pass_inputs_on(const onnx::NodeProto& node, const onnx::FunctionProto& function,
                             Nodes& to) {
    for (int out = 0; out < std::min(function.output_size(), node.output_size()); ++out) {
      for (int in = 0; in < std::min(function.input_size(), node.input_size()); ++in) {
        if (function.output(out) != function.input(in)) continue;
        auto& identity = *to.Add();
        identity.set_op_type("Identity");
        identity.add_input(node.input(in));
        identity.add_output(node.output(out));
      }
    }
  }

  std::map<std::pair<std::string, std::string>, const onnx::FunctionProto*> functions_;
  int n_nodes_ = 0;
  int n_calls_ = 0;
  std::size_t n_bytes_ = 0;
};

}  // namespace

void inline_functions(onnx::ModelProto& model) {
  if (model.functions().empty()) return;
  Inliner(model).expand(*model.mutable_graph());
  model.clear_functions();
}

}  // namespace hone::model
