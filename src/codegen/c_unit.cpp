#include "codegen/c_unit.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

#include "ir/number.h"

namespace hone::codegen {

using ir::Scalar;
using ir::Type;

std::string short_name(Type type) {
  constexpr std::array<std::string_view, 13> kNames = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                                       "u32",  "u64", "f16", "bf16", "f32", "f64"};
  const std::string_view scalar = kNames[static_cast<std::size_t>(type.scalar)];
  return type.lanes == 1 ? std::string(scalar) : fmt::format("{}x{}", scalar, type.lanes);
}

std::string float_literal(double value, Scalar scalar) {
  const bool is_double = scalar == Scalar::F64;
  if (std::isnan(value)) return is_double ? "__builtin_nan(\"\")" : "__builtin_nanf(\"\")";
  if (std::isinf(value)) {
    return fmt::format("{}{}", value < 0 ? "-" : "",
                       is_double ? "__builtin_inf()" : "__builtin_inff()");
  }
  const double rounded = ir::round_to(scalar, value);
  std::string text =
      is_double ? fmt::format("{}", rounded) : fmt::format("{}", static_cast<float>(rounded));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return is_double ? text : text + "f";
}

std::string memory_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::Bool:
      return "uint8_t";
    case Scalar::F16:
    case Scalar::BF16:
      return "uint16_t";
    case Scalar::F32:
      return "float";
    case Scalar::F64:
      return "double";
    default:
      return fmt::format("{}int{}_t", ir::is_signed_int(scalar) ? "" : "u", ir::bits(scalar));
  }
}

bool is_small_float(Type type) { return type.scalar == Scalar::F16 || type.scalar == Scalar::BF16; }

Type computed_type(Type type) { return is_small_float(type) ? Type{Scalar::F32, type.lanes} : type; }

Type bits_type(Type type) {
  switch (ir::bits(computed_type(type).scalar)) {
    case 8:
      return {Scalar::I8, type.lanes};
    case 16:
      return {Scalar::I16, type.lanes};
    case 32:
      return {Scalar::I32, type.lanes};
    default:
      return {Scalar::I64, type.lanes};
  }
}

std::string CUnit::type(Type type) {
  type = computed_type(type);
  if (type.lanes == 1) return type.scalar == Scalar::Bool ? "int" : memory_type(type.scalar);
  if (type.scalar == Scalar::Bool) type.scalar = Scalar::I8;
  const std::string name = short_name(type);
  typedefs_[name] =
      fmt::format("typedef {} {} __attribute__((vector_size({})));\n", memory_type(type.scalar), name,
                  type.lanes * ir::size_bytes(type.scalar));
  return name;
}

std::string CUnit::fresh_name(std::string_view wish) {
  // C's words and the names that the frame of the file uses.
  static const std::set<std::string> kTaken = {
      "auto",     "begin",    "break",    "buffers",  "call",   "case",    "char",    "const",
      "context",  "continue", "default",  "do",       "double", "else",    "end",     "enum",
      "extern",   "float",    "for",      "goto",     "if",     "inline",  "int",     "long",
      "main",     "pool",     "register", "restrict", "return", "scratch", "short",   "signed",
      "sizeof",   "static",   "struct",   "switch",   "table",  "thread",  "typedef", "union",
      "unsigned", "void",     "volatile", "while"};
  std::string stem;
  for (const char c : wish) stem += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (stem.empty() || std::isdigit(static_cast<unsigned char>(stem.front())) != 0) stem = "v" + stem;
  std::string name = stem;
  for (int i = 1; kTaken.contains(name) || !names_.insert(name).second; ++i) {
    name = fmt::format("{}_{}", stem, i);
  }
  return name;
}

std::string CUnit::text(std::string_view title) const {
  std::string out = fmt::format("// {}: made by hone.\n#include <stdint.h>\n\n", title);
  for (const auto& [name, definition] : typedefs_) out += definition;
  out +=
      "\nstruct hone_table;\n"
      "typedef void (*hone_body)(void* context, int64_t begin, int64_t end, int64_t thread);\n"
      "typedef void (*hone_parallel)(const struct hone_table*, hone_body, void* context, int64_t "
      "extent);\n"
      "struct hone_table { hone_parallel parallel; void* pool; int64_t threads; };\n"
      "struct hone_call { void* const* buffers; void* scratch; const struct hone_table* table; };\n\n";
  return out + helpers_ + "\n" + code_;
}

}  // namespace hone::codegen
