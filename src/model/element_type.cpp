#include "model/element_type.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/error.h"

namespace hone::model {
namespace {

struct OnnxType {
  std::string_view name;
  std::optional<ir::Scalar> scalar;
};

// In the order of ONNX's numbers, up to IR version 10.
constexpr std::array<OnnxType, 23> kTypes = {{
    {"undefined", std::nullopt},      {"float32", ir::Scalar::F32},   {"uint8", ir::Scalar::U8},
    {"int8", ir::Scalar::I8},         {"uint16", ir::Scalar::U16},    {"int16", ir::Scalar::I16},
    {"int32", ir::Scalar::I32},       {"int64", ir::Scalar::I64},     {"string", std::nullopt},
    {"bool", ir::Scalar::Bool},       {"float16", ir::Scalar::F16},   {"float64", ir::Scalar::F64},
    {"uint32", ir::Scalar::U32},      {"uint64", ir::Scalar::U64},    {"complex64", std::nullopt},
    {"complex128", std::nullopt},     {"bfloat16", ir::Scalar::BF16}, {"float8e4m3fn", std::nullopt},
    {"float8e4m3fnuz", std::nullopt}, {"float8e5m2", std::nullopt},   {"float8e5m2fnuz", std::nullopt},
    {"uint4", std::nullopt},          {"int4", std::nullopt},
}};

bool is_known(std::int32_t number) {
  return number >= 0 && number < static_cast<std::int32_t>(kTypes.size());
}

}  // namespace

std::optional<ir::Scalar> scalar_of_onnx(std::int32_t number) {
  return is_known(number) ? kTypes[static_cast<std::size_t>(number)].scalar : std::nullopt;
}

std::int32_t onnx_of_scalar(ir::Scalar scalar) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].scalar == scalar) return static_cast<std::int32_t>(i);
  }
  fail("every scalar has a number in ONNX");
}

std::string onnx_type_name(std::int32_t number) {
  return is_known(number) ? std::string(kTypes[static_cast<std::size_t>(number)].name)
                          : fmt::format("number {}", number);
}

}  // namespace hone::model
