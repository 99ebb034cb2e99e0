// The attributes of a model's node, asked for by name and type.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"

namespace hone::graph::onnx {

// An attribute that is there but of another type is a UserError; one that is left out gives the
// default.
class Attributes {
 public:
  explicit Attributes(const model::Node& node) : node_(&node) {}

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  std::int64_t required_integer(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise) const {
    return integer(name, otherwise ? 1 : 0) != 0;
  }
  double number(std::string_view name, double otherwise) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
  std::optional<std::vector<double>> numbers(std::string_view name) const;
  std::optional<std::vector<std::string>> texts(std::string_view name) const;
  std::optional<model::Tensor> tensor(std::string_view name) const;
  ir::Scalar element_type(std::string_view name) const;    // by ONNX's number; must be there
  const model::Nodes& nodes(std::string_view name) const;  // of a subgraph, which must be there

 private:
  const model::Attribute* find(std::string_view name) const;
  template <class T>
  const T* get(std::string_view name, std::string_view kind) const;

  const model::Node* node_;
};

}  // namespace hone::graph::onnx
