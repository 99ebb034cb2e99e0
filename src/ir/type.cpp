#include "ir/type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace hone::ir {
namespace {

struct ScalarFacts {
  std::string_view name;
  int bits;
};
// In the order of the enum.
constexpr std::array<ScalarFacts, 13> kScalars = {{{"bool", 8},
                                                   {"int8", 8},
                                                   {"int16", 16},
                                                   {"int32", 32},
                                                   {"int64", 64},
                                                   {"uint8", 8},
                                                   {"uint16", 16},
                                                   {"uint32", 32},
                                                   {"uint64", 64},
                                                   {"float16", 16},
                                                   {"bfloat16", 16},
                                                   {"float32", 32},
                                                   {"float64", 64}}};

}  // namespace

int bits(Scalar scalar) { return kScalars[static_cast<std::size_t>(scalar)].bits; }

std::string to_string(Type type) {
  const std::string_view name = kScalars[static_cast<std::size_t>(type.scalar)].name;
  return type.lanes == 1 ? std::string(name) : fmt::format("{}x{}", name, type.lanes);
}

std::optional<Type> parse_type(std::string_view text) {
  for (std::size_t i = 0; i < kScalars.size(); ++i) {
    const std::string_view name = kScalars[i].name;
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
