#include "ir/number.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace hone::ir {
namespace {

struct HalfFormat {
  int mantissa_bits;
  int min_exponent;  // of the least normal number
  double largest;
};
constexpr HalfFormat kFloat16{10, -14, 65504.0};
constexpr HalfFormat kBfloat16{7, -126, 0x1.FEp127};

const HalfFormat& half_format(Scalar scalar) { return scalar == Scalar::F16 ? kFloat16 : kBfloat16; }

}  // namespace

// Scaling by powers of two is exact in double, so the only rounding is that of nearbyint.
double round_to_half(Scalar scalar, double value) {
  const HalfFormat& format = half_format(scalar);
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), format.min_exponent);
  const double rounded =
      std::scalbn(std::nearbyint(std::scalbn(value, format.mantissa_bits - exponent)),
                  exponent - format.mantissa_bits);
  if (std::abs(rounded) <= format.largest) return rounded;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

std::uint16_t half_bits(Scalar scalar, double value) {
  const HalfFormat& format = half_format(scalar);
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const int exponent_bits = 15 - format.mantissa_bits;
  const int infinite = ((1 << exponent_bits) - 1) << format.mantissa_bits;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | infinite | (1 << (format.mantissa_bits - 1)));
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | infinite);
  if (value == 0) return sign;
  const int exponent = std::max(std::ilogb(value), format.min_exponent);
  // Counts the least quanta of this exponent; the leading bit of a normal number carries into the
  // exponent field, which is why that field is one short before the sum.
  const int quanta = static_cast<int>(std::scalbn(std::abs(value), format.mantissa_bits - exponent));
  return static_cast<std::uint16_t>(
      sign | (((exponent - format.min_exponent) << format.mantissa_bits) + quanta));
}

double from_half_bits(Scalar scalar, std::uint16_t bits) {
  if (scalar == Scalar::BF16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  const int field = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double magnitude = 0;
  if (field == 31) {
    magnitude = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                              : std::numeric_limits<double>::infinity();
  } else {
    magnitude = field == 0 ? std::scalbn(mantissa, -24) : std::scalbn(mantissa + 1024, field - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::int64_t min_value(Scalar scalar) {
  check(!is_float(scalar), "a float type has no least integer");
  return is_signed_int(scalar) ? std::numeric_limits<std::int64_t>::min() >> (64 - bits(scalar)) : 0;
}

std::int64_t max_value(Scalar scalar) {
  check(!is_float(scalar), "a float type has no greatest integer");
  if (scalar == Scalar::Bool) return 1;
  const int unused = 64 - bits(scalar) + (is_signed_int(scalar) || bits(scalar) == 64 ? 1 : 0);
  return static_cast<std::int64_t>(~std::uint64_t{0} >> unused);
}

}  // namespace hone::ir
