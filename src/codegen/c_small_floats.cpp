// float16 and bfloat16 in C: conversions in integer arithmetic, since not every compiler has the types.
#include <fmt/format.h>

#include "codegen/c_unit.h"

namespace hone::codegen {

using ir::Scalar;
using ir::Type;

namespace {

// What a text about scalars or vectors is made with: reinterpreting is a cast of vectors and a function
// of scalars, and only a comparison of vectors sets all bits or none.
struct Words {
  std::string ints, floats, to_ints, to_floats, mask;
};

Words words_for(CUnit& unit, Type type) {
  const Type ints = bits_type(type), floats = computed_type(type);
  const std::string c_ints = unit.type(ints), c_floats = unit.type(floats);
  if (type.lanes > 1)
    return {c_ints, c_floats, fmt::format("({})", c_ints), fmt::format("({})", c_floats), ""};
  return {c_ints, c_floats, unit.reinterpret(ints, floats), unit.reinterpret(floats, ints), "-"};
}

}  // namespace

std::string CUnit::small_bits(Type type) {
  const Words words = words_for(*this, type);
  return define(short_name(type) + "_bits", words.ints, words.floats + " x", [&] {
    if (type.scalar == Scalar::BF16) {
      return fmt::format(
          "{{\n  const {0} b = {1}(x);\n  const {0} nan = {2}((b & INT32_MAX) > 0x7F800000);\n"
          "  const {0} nearest = (nan & (b | 0x400000)) | (~nan & (b + 0x7FFF + (b >> 16 & 1)));\n"
          "  return nearest >> 16 & 0xFFFF;\n}}",
          words.ints, words.to_ints, words.mask);
    }
    // Below 2^-14 halves are multiples of 2^-24, the last bit of numbers from one half on.
    return fmt::format(
        "{{\n  const {0} b = {1}(x);\n  const {0} a = b & INT32_MAX;\n"
        "  const {0} tiny = {3}(a < 0x38800000), huge = {3}(a >= 0x47800000);\n"
        "  const {0} nan = {3}(a > 0x7F800000);\n"
        "  const {0} usual = (a + 0xFFF + (a >> 13 & 1) - 0x38000000) >> 13;\n"
        "  const {0} small = {1}({2}(a) + 0.5f) - 0x3F000000;\n"
        "  const {0} h = (tiny & small) | (~tiny & ~huge & usual) | (huge & (0x7C00 | (nan & "
        "0x200)));\n"
        "  return h | (b >> 16 & 0x8000);\n}}",
        words.ints, words.to_ints, words.to_floats, words.mask);
  });
}

std::string CUnit::small_value(Type type) {
  const Words words = words_for(*this, type);
  return define(short_name(type) + "_value", words.floats, words.ints + " h", [&] {
    if (type.scalar == Scalar::BF16) return fmt::format("{{ return {}(h << 16); }}", words.to_floats);
    // The product moves the exponent, of denormals too; infinities and NaNs have one of their own.
    return fmt::format(
        "{{\n  const {0} m = h & 0x7FFF;\n  const {0} special = {3}(m >= 0x7C00);\n"
        "  const {1} scaled = {4}(m << 13) * 0x1p112f;\n"
        "  const {0} b = (special & (m << 13 | 0x7F800000)) | (~special & {2}(scaled));\n"
        "  return {4}(b | (h & 0x8000) << 16);\n}}",
        words.ints, words.floats, words.to_ints, words.mask, words.to_floats);
  });
}

}  // namespace hone::codegen
