// The word a user most likely meant.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hone {

// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest candidate (the first of equals), if it is close enough to be what was meant: at most
// one edit in each three letters of the longer word, and two in any.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// A hint for an unknown word: the nearest candidate, or all of them when none is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace hone
