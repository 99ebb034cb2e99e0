// The structure of multi-level tiling as data: one letter a level, outermost first.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "space/hardware.h"

namespace hone::space {

// What the loops of a level walk over. A level that is one tensor instruction would be a third kind.
enum class TileLevel : std::uint8_t { Space, Reduction };

struct TileLevels {
  std::vector<TileLevel> levels;

  int count(TileLevel level) const;
  int leading_space() const;  // levels before the first reduction
};

// `S` is a level of space, `R` one of reduction; throws UserError on other letters and unless there is
// one of each.
TileLevels parse_tile_levels(std::string_view text);
// SSRSRS for a CPU, SSSRRSRS for a GPU: its second and third level become virtual and real threads.
TileLevels usual_tile_levels(Hardware::Kind kind);

}  // namespace hone::space
