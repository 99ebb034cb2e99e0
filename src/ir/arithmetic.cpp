#include "ir/arithmetic.h"

#include <array>

#include "base/error.h"

namespace hone::ir {
namespace {

double in_double(Function function, const double* args) {
  const double x = args[0];
  switch (function) {
    case Function::Exp:
      return std::exp(x);
    case Function::Log:
      return std::log(x);
    case Function::Erf:
      return std::erf(x);
    case Function::Tanh:
      return std::tanh(x);
    case Function::Sqrt:
      return std::sqrt(x);
    case Function::Rsqrt:
      return 1 / std::sqrt(x);
    case Function::Pow:
      return std::pow(x, args[1]);
    case Function::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case Function::Floor:
      return std::floor(x);
    case Function::Ceil:
      return std::ceil(x);
    case Function::Round:
      return std::nearbyint(x);
    case Function::Abs:
      return std::abs(x);
    case Function::Fma:
      return std::fma(x, args[1], args[2]);
    default:
      fail("floats do not have this function");
  }
}

std::int64_t float_to_int(Scalar to, double value) {
  if (std::isnan(value)) return 0;
  if (to == Scalar::Bool) return value != 0;
  const double whole = std::trunc(value);
  if (to == Scalar::U64) {
    if (whole <= 0) return 0;
    return static_cast<std::int64_t>(whole >= 0x1p64 ? ~std::uint64_t{0}
                                                     : static_cast<std::uint64_t>(whole));
  }
  // The largest int64 is no double; the power above it is.
  if (whole >= static_cast<double>(max_value(to))) return max_value(to);
  if (whole <= static_cast<double>(min_value(to))) return min_value(to);
  return static_cast<std::int64_t>(whole);
}

}  // namespace

double evaluate(Function function, Scalar scalar, const double* args) {
  // A float32 fma rounds once only when done in float: through double it would round twice.
  if (function == Function::Fma && scalar == Scalar::F32) {
    return std::fma(static_cast<float>(args[0]), static_cast<float>(args[1]),
                    static_cast<float>(args[2]));
  }
  return round_to(scalar, in_double(function, args));
}

std::int64_t evaluate(Function function, Scalar scalar, const std::int64_t* args) {
  const auto bits_of = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const auto wrapped = [&](std::uint64_t value) {
    return wrap_to(scalar, static_cast<std::int64_t>(value));
  };
  if (function == Function::ShiftLeft || function == Function::ShiftRight) {
    check(args[1] >= 0 && args[1] < bits(scalar), "a shift moves by fewer places than there are bits");
  }
  switch (function) {
    case Function::Abs:
      return is_signed_int(scalar) && args[0] < 0 ? wrapped(-bits_of(args[0])) : args[0];
    case Function::ShiftLeft:
      return wrapped(bits_of(args[0]) << args[1]);
    case Function::ShiftRight:
      return scalar == Scalar::U64 ? wrapped(bits_of(args[0]) >> args[1]) : args[0] >> args[1];
    case Function::Fma:
      return wrapped(bits_of(args[0]) * bits_of(args[1]) + bits_of(args[2]));
    default:
      fail("integers do not have this function");
  }
}

Number convert(Scalar from, Scalar to, Number value) {
  if (is_float(from)) {
    return is_float(to) ? Number{.f = round_to(to, value.f)} : Number{.i = float_to_int(to, value.f)};
  }
  if (!is_float(to)) return {.i = wrap_to(to, value.i)};
  // Through float where the target is one: an int64 may not fit a double and must round once.
  const bool is_unsigned = from == Scalar::U64;
  const auto bits_of = static_cast<std::uint64_t>(value.i);
  if (to == Scalar::F32) {
    return {.f = is_unsigned ? static_cast<float>(bits_of) : static_cast<float>(value.i)};
  }
  return {.f = round_to(to, is_unsigned ? static_cast<double>(bits_of) : static_cast<double>(value.i))};
}

Number reinterpret(Scalar from, Scalar to, Number value) {
  std::array<std::byte, 8> memory{};
  write_number(from, memory.data(), value);
  return read_number(to, memory.data());
}

}  // namespace hone::ir
