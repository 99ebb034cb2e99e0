// The words that begin the lines of a printed program; nothing may be named like them.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "ir/program.h"

namespace hone::ir {

inline constexpr std::string_view kAutoUnrollWord = "auto_unroll";
inline constexpr std::string_view kAheadWord = "ahead";

inline bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 6> kWords = {"alloc", "if", "else", "let", "call", "barrier"};
  if (std::ranges::find(kWords, name) != kWords.end()) return true;
  for (int kind = 0; kind <= static_cast<int>(LoopKind::Tensorized); ++kind) {
    if (name == to_string(static_cast<LoopKind>(kind))) return true;
  }
  return parse_type(name).has_value();  // (int8)3 is a literal
}

}  // namespace hone::ir
