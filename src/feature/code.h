// What hone's code generator will make of a candidate: register tiles, loads, passes through the
// caches. Ansor's features describe loops for any compiler; these say what ours does with them, in
// cycles.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "feature/core_costs.h"
#include "feature/layouts.h"
#include "feature/loop_tree.h"
#include "target/target.h"

namespace hone::feature {

// Columns of a code row, each as log2(1 + value).
enum class CodeColumn : std::uint8_t {
  Accumulators,  // vectors of the register tile
  Overflow,      // those that find no register
  Lanes,         // of one vector, on average
  Loads,         // instructions that load, per arithmetic one
  Steps,         // passes through the register tile
  Entries,       // times that a tile is loaded and stored
  Arithmetic,    // cycles that the vector units are busy; this one and those below, on all cores
  Issue,         // cycles of all instructions and of what they wait for
  NearTraffic,   // cycles for what comes from beyond the first cache
  FarTraffic,    // from beyond the second
  MemoryTraffic,
  Cycles,  // all together
  Ideal,   // cycles of the arithmetic at the machine's peak
};
inline constexpr std::size_t kCodeColumns = 13;
const std::array<std::string_view, kCodeColumns>& code_names();

// One row a tensor that is written, in the order of `statements`; `layouts` has one entry a stage.
std::vector<float> code_rows(const LoopTree& tree, const std::vector<StageLayout>& layouts,
                             const target::Target& target);
std::vector<float> code_rows(const LoopTree& tree, const std::vector<StageLayout>& layouts,
                             const target::Target& target, const CoreCosts& costs);

}  // namespace hone::feature
