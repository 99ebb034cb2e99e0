#include "feature/core_costs.h"

#include <algorithm>

namespace hone::feature {

namespace {

// Of Zen 5: two multiply-adds, two loads and one store of 512 bits a cycle, eight instructions, 448 of
// them in flight, 96 pages. What its maker does not tell is near what orders 14,400 programs of 36
// operators best (benchmarks/analysis), as the analysis chose them with two sets of constants: of those
// within twice the best, rank correlation 0.40, and the best of the first four at 0.97 of the best of
// all. A cycle here is two thirds of one.
const CoreCosts kFullWidth = {.vector_bytes = 96,
                              .load_bytes = 85,
                              .store_bytes = 43,
                              .least = 0.67,
                              .least_store = 6,
                              .least_padding = 20,
                              .lane = 2,
                              .latency = 6,
                              .window = 448,
                              .beside = 1500,
                              .request = 0.0007,
                              .spill = 8,
                              .entry = 3.5,
                              .loop_end = 6,
                              .turn = 0.3,
                              .issue_width = 5.3,
                              .pages = 96,
                              .page_visit = 0.85,
                              .hidden = 0.935,
                              .traffic_bytes = {56, 48, 11},
                              .restarts = {{{.bytes = 45, .streams = 4.6},
                                            {.bytes = 155, .streams = 1.7},
                                            {.bytes = 32, .streams = 16, .counts_gaps = true}}}};

}  // namespace

const CoreCosts& core_costs(const target::Target& target) {
  // Half as wide: 512 bits in two halves, or vectors of 256 bits. Of Zen 4, where 11,843 programs of 45
  // operators were ordered.
  static const CoreCosts kHalfWidth;
  // Those of Intel were not measured; they are as wide.
  static constexpr std::array<std::string_view, 8> kFull = {
      "znver5",         "skylake-avx512", "cascadelake",   "cooperlake",
      "icelake-server", "sapphirerapids", "emeraldrapids", "graniterapids"};
  const bool is_full = target.vector_bits == 512 && std::ranges::find(kFull, target.cpu) != kFull.end();
  return is_full ? kFullWidth : kHalfWidth;
}

std::span<const CoreCostField> core_cost_fields() {
  static constexpr std::array kFields = {
      CoreCostField{"vector_bytes", [](CoreCosts& c) -> double& { return c.vector_bytes; }},
      CoreCostField{"load_bytes", [](CoreCosts& c) -> double& { return c.load_bytes; }},
      CoreCostField{"store_bytes", [](CoreCosts& c) -> double& { return c.store_bytes; }},
      CoreCostField{"least_store", [](CoreCosts& c) -> double& { return c.least_store; }},
      CoreCostField{"least_padding", [](CoreCosts& c) -> double& { return c.least_padding; }},
      CoreCostField{"window", [](CoreCosts& c) -> double& { return c.window; }},
      CoreCostField{"beside", [](CoreCosts& c) -> double& { return c.beside; }},
      CoreCostField{"least", [](CoreCosts& c) -> double& { return c.least; }},
      CoreCostField{"lane", [](CoreCosts& c) -> double& { return c.lane; }},
      CoreCostField{"latency", [](CoreCosts& c) -> double& { return c.latency; }},
      CoreCostField{"request", [](CoreCosts& c) -> double& { return c.request; }},
      CoreCostField{"spill", [](CoreCosts& c) -> double& { return c.spill; }},
      CoreCostField{"entry", [](CoreCosts& c) -> double& { return c.entry; }},
      CoreCostField{"loop_end", [](CoreCosts& c) -> double& { return c.loop_end; }},
      CoreCostField{"turn", [](CoreCosts& c) -> double& { return c.turn; }},
      CoreCostField{"issue_width", [](CoreCosts& c) -> double& { return c.issue_width; }},
      CoreCostField{"pages", [](CoreCosts& c) -> double& { return c.pages; }},
      CoreCostField{"page_visit", [](CoreCosts& c) -> double& { return c.page_visit; }},
      CoreCostField{"hidden", [](CoreCosts& c) -> double& { return c.hidden; }},
      CoreCostField{"near_bytes", [](CoreCosts& c) -> double& { return c.traffic_bytes[0]; }},
      CoreCostField{"far_bytes", [](CoreCosts& c) -> double& { return c.traffic_bytes[1]; }},
      CoreCostField{"memory_bytes", [](CoreCosts& c) -> double& { return c.traffic_bytes[2]; }},
      CoreCostField{"near_restart", [](CoreCosts& c) -> double& { return c.restarts[0].bytes; }},
      CoreCostField{"near_streams", [](CoreCosts& c) -> double& { return c.restarts[0].streams; }},
      CoreCostField{"far_restart", [](CoreCosts& c) -> double& { return c.restarts[1].bytes; }},
      CoreCostField{"far_streams", [](CoreCosts& c) -> double& { return c.restarts[1].streams; }},
      CoreCostField{"memory_restart", [](CoreCosts& c) -> double& { return c.restarts[2].bytes; }},
      CoreCostField{"memory_streams", [](CoreCosts& c) -> double& { return c.restarts[2].streams; }},
  };
  return kFields;
}

}  // namespace hone::feature
