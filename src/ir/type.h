// Element types of tensors and expressions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hone::ir {

enum class Scalar : std::uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  BF16,
  F32,
  F64,
};

// A scalar, or a vector of `lanes` scalars once loops have been vectorised.
struct Type {
  Scalar scalar = Scalar::I64;
  std::int32_t lanes = 1;

  friend bool operator==(const Type&, const Type&) = default;
  Type with_lanes(std::int32_t n) const { return {scalar, n}; }
  Type element() const { return {scalar, 1}; }
};

inline constexpr Type kBool{Scalar::Bool, 1};
inline constexpr Type kIndex{Scalar::I64, 1};  // loop variables and indices
inline constexpr Type kF32{Scalar::F32, 1};

constexpr bool is_float(Scalar scalar) { return scalar >= Scalar::F16; }
constexpr bool is_signed_int(Scalar scalar) { return scalar >= Scalar::I8 && scalar <= Scalar::I64; }
constexpr bool is_unsigned_int(Scalar scalar) { return scalar >= Scalar::U8 && scalar <= Scalar::U64; }
constexpr bool is_int(Scalar scalar) {
  return is_signed_int(scalar) || is_unsigned_int(scalar);
}  // no bool
// 8 for bool: it is stored in a byte.
constexpr int bits(Scalar scalar) {
  constexpr int kBits[] = {8,  8,  16, 32, 64, 8, 16,
                           32, 64, 16, 16, 32, 64};  // in the order of the enum
  return kBits[static_cast<std::size_t>(scalar)];
}
constexpr int size_bytes(Scalar scalar) { return bits(scalar) / 8; }

// "float32", "bfloat16", "int8", "uint8", "bool"; vectors as "float32x16".
std::string to_string(Type type);
std::optional<Type> parse_type(std::string_view text);

}  // namespace hone::ir
