#include "ir/type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace hone::ir {
namespace {

// In the order of the enum.
constexpr std::array<std::string_view, 13> kNames = {
    "bool",   "int8",   "int16",   "int32",    "int64",   "uint8",  "uint16",
    "uint32", "uint64", "float16", "bfloat16", "float32", "float64"};

}  // namespace

std::string to_string(Type type) {
  const std::string_view name = kNames[static_cast<std::size_t>(type.scalar)];
  return type.lanes == 1 ? std::string(name) : fmt::format("{}x{}", name, type.lanes);
}

std::optional<Type> parse_type(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::string_view name = kNames[i];
    if (!text.starts_with(name)) continue;
    const auto scalar = static_cast<Scalar>(i);
    std::string_view rest = text.substr(name.size());
    if (rest.empty()) return Type{scalar, 1};
    if (rest.front() != 'x') continue;
    rest.remove_prefix(1);
    std::int32_t lanes = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), lanes);
    if (error != std::errc{} || end != rest.data() + rest.size() || lanes < 1) return std::nullopt;
    return Type{scalar, lanes};
  }
  return std::nullopt;
}

}  // namespace hone::ir
