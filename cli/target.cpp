// `hone target show`: what hone knows of a machine.
#include "target/target.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "codegen/peak.h"

namespace hone::cli {
namespace {

// GFLOP/s that one thread and one a core can reach; measured, so known of this machine only.
struct Peak {
  double one_thread, all_cores;
};

std::optional<Peak> peak_of(const target::Target& machine) {
  if (machine.name != "host") return std::nullopt;
  return Peak{codegen::measured_peak_gflops(machine, 1),
              codegen::measured_peak_gflops(machine, machine.cores)};
}

nlohmann::ordered_json to_json(const target::Target& machine, const std::optional<Peak>& peak) {
  nlohmann::ordered_json caches = nlohmann::ordered_json::array();
  for (const target::Cache& cache : machine.caches) {
    caches.push_back({{"level", cache.level},
                      {"size_bytes", cache.size_bytes},
                      {"ways", cache.ways},
                      {"line_bytes", cache.line_bytes},
                      {"shared", cache.shared}});
  }
  nlohmann::ordered_json report = {{"schema", "hone.target/1"},
                                   {"name", machine.name},
                                   {"string", target::to_string(machine)},
                                   {"triple", machine.triple},
                                   {"cpu", machine.cpu},
                                   {"features", machine.features},
                                   {"cores", machine.cores},
                                   {"vector_bits", machine.vector_bits},
                                   {"vector_registers", machine.vector_registers},
                                   {"fma", machine.fma},
                                   {"caches", caches}};
  if (peak) report["peak_gflops"] = {{"one_thread", peak->one_thread}, {"all_cores", peak->all_cores}};
  return report;
}

void print_text(const target::Target& machine, const std::optional<Peak>& peak) {
  fmt::print("name      {}\n", machine.name);
  fmt::print("cpu       {} ({})\n", machine.cpu, machine.triple);
  fmt::print("cores     {}\n", machine.cores);
  fmt::print("vectors   {} bits, {} registers{}\n", machine.vector_bits, machine.vector_registers,
             machine.fma ? ", fused multiply-add" : "");
  for (const target::Cache& cache : machine.caches) {
    fmt::print("cache L{}  {} KiB, {} ways, lines of {} bytes, {}\n", cache.level,
               cache.size_bytes / 1024, cache.ways, cache.line_bytes,
               cache.shared ? "shared" : "one a core");
  }
  if (peak) {
    fmt::print("peak      {:.0f} GFLOP/s on one thread, {:.0f} on {} (float32, measured)\n",
               peak->one_thread, peak->all_cores, machine.cores);
  }
  fmt::print("string    {}\n", target::to_string(machine));
}

}  // namespace

int show_target(const ShowTarget& options) {
  const target::Target machine = target::parse(options.target);
  const std::optional<Peak> peak = peak_of(machine);
  if (options.json) {
    fmt::print("{}\n", to_json(machine, peak).dump());
  } else {
    print_text(machine, peak);
  }
  return kDone;
}

}  // namespace hone::cli
