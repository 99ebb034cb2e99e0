#include "model/take_tensor.h"

#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "model/damaged.h"
#include "model/element_type.h"

namespace hone::model {
namespace {

static_assert(std::endian::native == std::endian::little, "raw data is little-endian");

using Elements = MappedFile;  // bytes and who keeps them, mapped or not

template <class Container>
Elements keep(Container&& container) {
  auto owner = std::make_shared<const Container>(std::forward<Container>(container));
  return {std::as_bytes(std::span(owner->data(), static_cast<std::size_t>(owner->size()))), owner};
}

// Small types travel in wider fields.
template <class Element, class Field>
Elements narrow(const Field& field) {
  std::vector<Element> elements;
  elements.reserve(static_cast<std::size_t>(field.size()));
  for (const auto value : field) {
    if (!std::in_range<Element>(value))
      throw UserError(fmt::format("the value {} is out of its type's range", value), kExportAgain);
    elements.push_back(static_cast<Element>(value));
  }
  return keep(std::move(elements));
}

Elements take_typed(onnx::TensorProto& proto, ir::Scalar type) {
  switch (type) {
    case ir::Scalar::F32:
      return keep(std::move(*proto.mutable_float_data()));
    case ir::Scalar::F64:
      return keep(std::move(*proto.mutable_double_data()));
    case ir::Scalar::I64:
      return keep(std::move(*proto.mutable_int64_data()));
    case ir::Scalar::U64:
      return keep(std::move(*proto.mutable_uint64_data()));
    case ir::Scalar::U32:
      return narrow<std::uint32_t>(proto.uint64_data());
    case ir::Scalar::I32:
      return keep(std::move(*proto.mutable_int32_data()));
    case ir::Scalar::I16:
      return narrow<std::int16_t>(proto.int32_data());
    case ir::Scalar::I8:
      return narrow<std::int8_t>(proto.int32_data());
    case ir::Scalar::U16:
    case ir::Scalar::F16:
    case ir::Scalar::BF16:
      return narrow<std::uint16_t>(proto.int32_data());  // floats as their bits
    case ir::Scalar::U8:
    case ir::Scalar::Bool:
      return narrow<std::uint8_t>(proto.int32_data());
  }
  fail("a type has a field");
}

Elements take_elements(onnx::TensorProto& proto, ir::Scalar type, ExternalData& files) {
  if (proto.has_segment())
    throw UserError("it is one segment of a tensor", "export the model with whole tensors");
  Elements elements;
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
    elements = files.find(proto);
  } else if (!proto.raw_data().empty()) {
    elements = keep(std::move(*proto.mutable_raw_data()));
  } else {
    elements = take_typed(proto, type);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(elements.bytes.data());
  if (address % static_cast<std::uintptr_t>(ir::size_bytes(type)) != 0)  // a mapping may lie anywhere
    elements = keep(std::vector<std::byte>(elements.bytes.begin(), elements.bytes.end()));
  return elements;
}

Tensor take_unnamed(onnx::TensorProto& proto, ExternalData& files) {
  const auto type = scalar_of_onnx(proto.data_type());
  if (!type) {
    throw UserError(
        fmt::format("elements of type {} are not supported", onnx_type_name(proto.data_type())),
        "hone computes with bool, integers of 8 to 64 bits, float16, bfloat16, float32, float64");
  }
  Shape shape(proto.dims().begin(), proto.dims().end());
  check_shape(shape, *type);
  const Elements elements = take_elements(proto, *type, files);
  const auto expected = static_cast<std::size_t>(hone::model::elements(shape) * ir::size_bytes(*type));
  if (elements.bytes.size() != expected) {
    throw UserError(fmt::format("the shape [{}] asks for {} bytes of data, there are {}",
                                fmt::join(shape, ", "), expected, elements.bytes.size()),
                    kExportAgain);
  }
  const auto is_truth = [](std::byte byte) { return byte <= std::byte{1}; };
  if (*type == ir::Scalar::Bool && !std::ranges::all_of(elements.bytes, is_truth))
    throw UserError("a bool is neither 0 nor 1", kExportAgain);
  return {*type, std::move(shape), elements.bytes, elements.owner};
}

}  // namespace

Tensor take_tensor(onnx::TensorProto& proto, ExternalData& files) {
  try {
    return take_unnamed(proto, files);
  } catch (const UserError& error) {
    const std::string name =
        proto.name().empty() ? "a tensor" : fmt::format("tensor `{}`", proto.name());
    throw UserError(fmt::format("{}: {}", name, error.what()), error.hint());
  }
}

}  // namespace hone::model
