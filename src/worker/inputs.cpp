#include "worker/inputs.h"

#include <cmath>
#include <cstring>

#include "base/random.h"
#include "worker/element.h"

namespace hone::worker {
namespace {

// Bits of a number in [-1, 1) whose last place counts 2^(1 - bits): every such number has the type's
// significant digits.
int grid_bits(ir::Scalar type) {
  switch (type) {
    case ir::Scalar::F16:
      return 11;
    case ir::Scalar::BF16:
      return 8;
    case ir::Scalar::F32:
      return 24;
    default:
      return 53;
  }
}

double value_of(std::uint64_t bits, ir::Scalar type) {
  if (type == ir::Scalar::Bool) return static_cast<double>(bits >> 63);
  if (ir::is_signed_int(type)) return static_cast<double>(below(9, bits)) - 4;
  if (ir::is_unsigned_int(type)) return static_cast<double>(below(9, bits));
  const int kept = grid_bits(type);
  return std::ldexp(static_cast<double>(bits >> (64 - kept)), 1 - kept) - 1;
}

}  // namespace

double random_value(std::uint64_t seed, int buffer, std::int64_t element, ir::Scalar type) {
  return value_of(
      random_bits(seed, static_cast<std::uint64_t>(buffer), static_cast<std::uint64_t>(element)), type);
}

void fill_random(std::byte* data, std::int64_t elements, std::uint64_t seed, int buffer,
                 ir::Scalar type) {
  with_element(type, [&](auto element) {
    for (std::int64_t i = 0; i < elements; ++i) {
      element = static_cast<decltype(element)>(random_value(seed, buffer, i, type));
      std::memcpy(data + i * static_cast<std::int64_t>(sizeof element), &element, sizeof element);
    }
  });
}

}  // namespace hone::worker
