// Elements of tensors as C++ values: one place that knows which C++ type an element type is.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "ir/type.h"

namespace hone::worker {

// The upper half of a float. Conversion cuts off, which is exact for the values that are stored here.
struct BFloat16 {
  std::uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(double value)
      : bits(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >>
                                        16)) {}
  explicit operator double() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

// Calls `use` with a value of the C++ type that `scalar` is in memory.
template <class Use>
decltype(auto) with_element(ir::Scalar scalar, Use&& use) {
  using enum ir::Scalar;
  switch (scalar) {
    case Bool:
      return use(std::uint8_t{});
    case I8:
      return use(std::int8_t{});
    case I16:
      return use(std::int16_t{});
    case I32:
      return use(std::int32_t{});
    case I64:
      return use(std::int64_t{});
    case U8:
      return use(std::uint8_t{});
    case U16:
      return use(std::uint16_t{});
    case U32:
      return use(std::uint32_t{});
    case U64:
      return use(std::uint64_t{});
    case F16:
      return use(_Float16{});
    case BF16:
      return use(BFloat16{});
    case F32:
      return use(float{});
    case F64:
      return use(double{});
  }
  fail("an element type without a number");
}

inline double load_element(ir::Scalar scalar, const std::byte* data, std::int64_t element) {
  return with_element(scalar, [&](auto value) {
    std::memcpy(&value, data + element * static_cast<std::int64_t>(sizeof value), sizeof value);
    return static_cast<double>(value);
  });
}

}  // namespace hone::worker
