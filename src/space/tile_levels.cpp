#include "space/tile_levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::space {

int TileLevels::count(TileLevel level) const {
  return static_cast<int>(std::ranges::count(levels, level));
}

int TileLevels::leading_space() const {
  return static_cast<int>(std::ranges::find(levels, TileLevel::Reduction) - levels.begin());
}

TileLevels parse_tile_levels(std::string_view text) {
  TileLevels result;
  for (const char letter : text) {
    if (letter != 'S' && letter != 'R') {
      throw UserError(fmt::format("'{}' in the tiling structure {} is no level", letter, text),
                      "known are S (space) and R (reduction)");
    }
    result.levels.push_back(letter == 'S' ? TileLevel::Space : TileLevel::Reduction);
  }
  if (result.count(TileLevel::Space) == 0 || result.count(TileLevel::Reduction) == 0) {
    throw UserError(fmt::format("the tiling structure \"{}\" lacks a level", text),
                    "there must be an S and an R, as in SSRSRS");
  }
  return result;
}

TileLevels usual_tile_levels(Hardware::Kind kind) {
  return parse_tile_levels(kind == Hardware::Kind::Gpu ? "SSSRRSRS" : "SSRSRS");
}

}  // namespace hone::space
