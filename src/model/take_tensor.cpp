#include "model/take_tensor.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <bit>
#include <utility>

#include "base/error.h"
#include "base/shared_bytes.h"
#include "model/damaged.h"
#include "model/element_type.h"
#include "model/plain_tensor.h"

namespace hone::model {
namespace {

static_assert(std::endian::native == std::endian::little, "raw data is little-endian");

// Small types travel in wider fields.
template <class Element, class Field>
SharedBytes narrow(const Field& field) {
  std::vector<Element> elements;
  elements.reserve(static_cast<std::size_t>(field.size()));
  for (const auto value : field) {
    if (!std::in_range<Element>(value))
      throw UserError(fmt::format("the value {} is out of its type's range", value), kExportAgain);
    elements.push_back(static_cast<Element>(value));
  }
  return keep(std::move(elements));
}

SharedBytes take_typed(onnx::TensorProto& proto, ir::Scalar type) {
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

SharedBytes take_elements(onnx::TensorProto& proto, ir::Scalar type, ExternalData& files) {
  if (proto.has_segment())
    throw UserError("it is one segment of a tensor", "export the model with whole tensors");
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) return files.find(proto);
  if (!proto.raw_data().empty()) return keep(std::move(*proto.mutable_raw_data()));
  return take_typed(proto, type);
}

Tensor take_unnamed(onnx::TensorProto& proto, ExternalData& files) {
  const auto type = scalar_of_onnx(proto.data_type());
  if (!type) {
    throw UserError(
        fmt::format("elements of type {} are not supported", onnx_type_name(proto.data_type())),
        "hone computes with bool, integers of 8 to 64 bits, float16, bfloat16, float32, float64");
  }
  return plain_tensor(*type, {proto.dims().begin(), proto.dims().end()},
                      take_elements(proto, *type, files));
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
