#include "feature/core_costs.h"

#include <algorithm>

namespace hone::feature {

namespace {

// Two multiply-adds and two loads of 512 bits a cycle. Near what orders 14,400 programs of 36 operators
// on a Zen 5 best (bench_analysis), as they were chosen with two earlier sets of constants: of those
// within twice the best, rank correlation 0.55, and the best of the first four at 0.90 of the best of
// all. A cycle here is two thirds of one.
const CoreCosts kFullWidth = {.vector_bytes = 96,
                              .load_bytes = 42,
                              .store_bytes = 57,
                              .least = 0.67,
                              .least_store = 12,
                              .lane = 1.0,
                              .latency = 6.6,
                              .window = 64,
                              .request = 0.001,
                              .spill = 8,
                              .entry = 0.4,
                              .turn = 1.1,
                              .issue_width = 4,
                              .pages = 64,
                              .page_visit = 7,
                              .hidden = 0.935,
                              .traffic_bytes = {36, 40, 11},
                              .restarts = {{{.bytes = 32, .streams = 8},
                                            {.bytes = 120, .streams = 4.6},
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
      CoreCostField{"window", [](CoreCosts& c) -> double& { return c.window; }},
      CoreCostField{"least", [](CoreCosts& c) -> double& { return c.least; }},
      CoreCostField{"lane", [](CoreCosts& c) -> double& { return c.lane; }},
      CoreCostField{"latency", [](CoreCosts& c) -> double& { return c.latency; }},
      CoreCostField{"request", [](CoreCosts& c) -> double& { return c.request; }},
      CoreCostField{"spill", [](CoreCosts& c) -> double& { return c.spill; }},
      CoreCostField{"entry", [](CoreCosts& c) -> double& { return c.entry; }},
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
