// The pieces of a text between separators.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

// One more than there are separators; pieces may be empty.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

}  // namespace hone
