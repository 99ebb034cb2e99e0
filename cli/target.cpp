// `hone target show`: what hone knows of a machine.
#include "target/target.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "measure/measured_descriptor.h"

namespace hone::cli {
namespace {

// What it reaches; measured, so known of this machine only.
std::optional<target::Descriptor> reached_by(const target::Target& machine) {
  if (machine.name != "host") return std::nullopt;
  return measure::measured_descriptor(machine);
}

nlohmann::ordered_json to_json(const target::Target& machine,
                               const std::optional<target::Descriptor>& reached) {
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
  if (reached) {
    report["peak_gflops"] = {{"one_thread", reached->core_gflops}, {"all_cores", reached->peak_gflops}};
    report["bandwidth_gbs"] = reached->bandwidth_gbs;
    report["descriptor"] = target::to_string(*reached);
  }
  return report;
}

void print_text(const target::Target& machine, const std::optional<target::Descriptor>& reached) {
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
  if (reached) {
    fmt::print("peak      {:.0f} GFLOP/s on one thread, {:.0f} on {} (float32, measured)\n",
               reached->core_gflops, reached->peak_gflops, machine.cores);
    fmt::print("memory    {:.3g} GB/s (measured)\n", reached->bandwidth_gbs);
    fmt::print("facts     {}\n", target::to_string(*reached));
  }
  fmt::print("string    {}\n", target::to_string(machine));
}

}  // namespace

int show_target(const ShowTarget& options) {
  const target::Target machine = target::parse(options.target);
  const std::optional<target::Descriptor> reached = reached_by(machine);
  if (options.json) {
    fmt::print("{}\n", to_json(machine, reached).dump());
  } else {
    print_text(machine, reached);
  }
  return kDone;
}

}  // namespace hone::cli
