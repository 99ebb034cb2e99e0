// Panels: an operand of a tiled op that is copied inside an outer loop, once for all that the loop
// computes, into dense memory in the order in which the register tile reads it.
#pragma once
#include <cstdint>
#include <vector>

#include "space/tiling.h"

namespace hone::space {

// Where a panel is filled: inside a loop around the register tiles, named by what it walks over and so
// the same in every order of the loops.
using PanelPlace = std::int64_t;
inline constexpr PanelPlace kNoPanel = 0;
inline constexpr PanelPlace kInChunk = 1;  // inside the parallel loop
inline constexpr PanelPlace kInAxis = 2;   // kInAxis + a: inside the tiles of one chunk along axis a
inline PanelPlace in_reduction(const task::Op& op) {  // inside the outer part of the reduction
  return kInAxis + static_cast<PanelPlace>(op.axes.size());
}

// Operands of op `id`, which is tiled, that may be read from a panel: those that are not constant, that
// it reads in one way and several times. One that would be computed where it is read is computed into
// its panel instead; of others the panel is a copy.
std::vector<int> panel_operands(const task::Task& task, const task::Analysis& analysis,
                                const std::vector<StageRole>& roles, int id);

// Whether a panel of the operand is filled.
bool is_packed(const StageRole& role, const Tiling& tiling, int operand);

// The same place, named by the outermost loop that is no other: loops of one iteration are skipped.
PanelPlace settled(const task::Op& op, const Tiling& tiling, PanelPlace place);

// Bytes of the panel of `operand`, an op that `op` reads.
std::int64_t panel_bytes(const task::Op& op, const task::Op& operand, const Tiling& tiling,
                         PanelPlace place);

// How often the op reads an element of the panel once it is filled, in register tiles.
std::int64_t panel_reuse(const task::Op& op, const task::Op& operand, const Tiling& tiling,
                         PanelPlace place);

// Whether a vector of the op gathers elements of the operand that lie apart.
bool is_gathered(const task::Task& task, const std::vector<StageRole>& roles, const task::Op& op,
                 const task::Op& operand);

}  // namespace hone::space
