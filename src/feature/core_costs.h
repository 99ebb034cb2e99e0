// What the instructions and the caches of a core cost: the constants of the analysis in `code`.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "feature/traffic.h"
#include "target/target.h"

namespace hone::feature {

// Cycles, unless the name says otherwise. The ratios count, not the clock.
struct CoreCosts {
  double vector_bytes = 64;  // that are multiplied and added in a cycle
  double load_bytes = 64;    // that come from the first cache in a cycle
  double store_bytes = 32;   // that go there
  double least = 0.5;        // of one instruction
  double least_store = 1;    // of one that stores what was loaded, a copy
  double least_padding = 1;  // of such a one that asks whether there is anything to copy
  double lane = 1;           // to load one element of a vector whose elements lie apart
  double latency = 4;        // from operands to result of a multiply-add
  double window = 320;       // instructions that are on their way at once
  double beside = 320;       // instructions of a sum that begins and ends beside its neighbours
  double request = 0.1;      // of a prefetch
  double spill = 8;          // to load and store an accumulator that has no register
  double entry = 0.5;        // to begin and end the loops around a register tile
  double loop_end = 0;       // of a sum that stays a loop: where it ends is not foreseen
  double turn = 1;           // instructions of a loop beside its body
  double issue_width = 3;    // instructions a cycle
  double pages = 72;         // whose addresses the first translation buffer holds
  double page_visit = 7;     // to find the address of another one
  double hidden = 0.85;      // share of what is not the slowest that it hides
  std::array<double, 3> traffic_bytes = {40, 32, 4};  // a cycle from L2, L3, memory
  std::array<Restart, 3> restarts = {{{.bytes = 96, .streams = 64},
                                      {.bytes = 80, .streams = 24},
                                      {.bytes = 128, .streams = 16, .counts_gaps = true}}};
};

// Of the core that the target names; of one that is not known, those of the most alike.
const CoreCosts& core_costs(const target::Target& target);

// The constants by name, for those who fit them.
struct CoreCostField {
  std::string_view name;
  double& (*value)(CoreCosts& costs);
};
std::span<const CoreCostField> core_cost_fields();

}  // namespace hone::feature
