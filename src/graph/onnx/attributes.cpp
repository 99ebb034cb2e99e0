#include "graph/onnx/attributes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "model/element_type.h"

namespace hone::graph::onnx {

const model::Attribute* Attributes::find(std::string_view name) const {
  const auto at = node_->attributes.find(std::string(name));
  return at == node_->attributes.end() ? nullptr : &at->second;
}

template <class T>
const T* Attributes::get(std::string_view name, std::string_view kind) const {
  const model::Attribute* attribute = find(name);
  if (attribute == nullptr) return nullptr;
  const T* value = std::get_if<T>(attribute);
  if (value == nullptr) throw UserError(fmt::format("its attribute `{}` is not {}", name, kind));
  return value;
}

std::int64_t Attributes::integer(std::string_view name, std::int64_t otherwise) const {
  const auto* value = get<std::int64_t>(name, "a whole number");
  return value ? *value : otherwise;
}

std::int64_t Attributes::required_integer(std::string_view name) const {
  if (!has(name)) throw UserError(fmt::format("its attribute `{}` is missing", name));
  return integer(name, 0);
}

double Attributes::number(std::string_view name, double otherwise) const {
  const auto* value = get<double>(name, "a number");
  return value ? *value : otherwise;
}

std::string Attributes::text(std::string_view name, std::string_view otherwise) const {
  const auto* value = get<std::string>(name, "a text");
  return value ? *value : std::string(otherwise);
}

// Writers that know no types give a list without entries as one of whole numbers.
template <class T>
static bool is_empty_list(const model::Attribute* attribute) {
  const T* list = attribute ? std::get_if<T>(attribute) : nullptr;
  return list != nullptr && list->empty();
}

std::optional<std::vector<std::int64_t>> Attributes::integers(std::string_view name) const {
  if (is_empty_list<std::vector<double>>(find(name))) return std::vector<std::int64_t>{};
  const auto* value = get<std::vector<std::int64_t>>(name, "a list of whole numbers");
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<std::vector<double>> Attributes::numbers(std::string_view name) const {
  if (is_empty_list<std::vector<std::int64_t>>(find(name))) return std::vector<double>{};
  const auto* value = get<std::vector<double>>(name, "a list of numbers");
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<std::vector<std::string>> Attributes::texts(std::string_view name) const {
  if (is_empty_list<std::vector<std::int64_t>>(find(name))) return std::vector<std::string>{};
  const auto* value = get<std::vector<std::string>>(name, "a list of texts");
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<model::Tensor> Attributes::tensor(std::string_view name) const {
  const auto* value = get<model::Tensor>(name, "a tensor");
  return value ? std::optional(*value) : std::nullopt;
}

ir::Scalar Attributes::element_type(std::string_view name) const {
  const std::int64_t number = required_integer(name);
  constexpr std::int64_t kManyTypes = 1000;  // far above ONNX's numbers, and within those of the callee
  const auto known = static_cast<std::int32_t>(std::clamp<std::int64_t>(number, 0, kManyTypes));
  if (const auto type = model::scalar_of_onnx(known)) return *type;
  throw UserError(
      fmt::format("its attribute `{}` asks for elements of type {}, which hone does not "
                  "compute with",
                  name, model::onnx_type_name(known)));
}

const model::Nodes& Attributes::nodes(std::string_view name) const {
  const auto* value = get<std::shared_ptr<const model::Nodes>>(name, "a graph");
  if (value == nullptr || *value == nullptr)
    throw UserError(fmt::format("its attribute `{}` is missing", name));
  return **value;
}

}  // namespace hone::graph::onnx
