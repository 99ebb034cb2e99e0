// `hone target show`: what hone knows of a machine.
#include "target/target.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/exit_code.h"

namespace hone::cli {
namespace {

nlohmann::ordered_json to_json(const target::Target& machine) {
  nlohmann::ordered_json caches = nlohmann::ordered_json::array();
  for (const target::Cache& cache : machine.caches) {
    caches.push_back({{"level", cache.level},
                      {"size_bytes", cache.size_bytes},
                      {"ways", cache.ways},
                      {"line_bytes", cache.line_bytes},
                      {"shared", cache.shared}});
  }
  return {{"schema", "hone.target/1"},
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
}

void print_text(const target::Target& machine) {
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
  fmt::print("string    {}\n", target::to_string(machine));
}

}  // namespace

int show_target(const ShowTarget& options) {
  const target::Target machine = target::parse(options.target.empty() ? "host" : options.target);
  if (options.json) {
    fmt::print("{}\n", to_json(machine).dump());
  } else {
    print_text(machine);
  }
  return kDone;
}

}  // namespace hone::cli
