#include "record/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "target/descriptor.h"

namespace hone::record {
namespace {

// The makers' numbers for the part of the machine that was used. Of a GPU's peak every multiprocessor
// counts with all its float32 lanes at the clock given.
const std::array kMachines = std::to_array<Machine>({
    {"platinum-8272",
     "kind=cpu isa=avx512 cores=16 vector_bits=512 clock_ghz=2.6 l2_kib=1024 l3_kib=36608"},
    {"e5-2673", "kind=cpu isa=avx2 cores=8 vector_bits=256 clock_ghz=2.3 l2_kib=256 l3_kib=51200"},
    {"epyc-7452", "kind=cpu isa=avx2 cores=4 vector_bits=256 clock_ghz=2.35 l2_kib=512 l3_kib=131072"},
    {"graviton2", "kind=cpu isa=neon cores=16 vector_bits=128 clock_ghz=2.5 l2_kib=1024 l3_kib=32768"},
    {"i7", "kind=cpu isa=avx2 cores=4 vector_bits=256 clock_ghz=1.8 l2_kib=256 l3_kib=8192"},
    {"x86-24core", "kind=cpu isa=x86 cores=24"},
    {"bennu-cpu", "kind=cpu isa=x86"},
    {"tvm-ci", "kind=mixed"},
    {"k80",
     "kind=gpu isa=sm_37 cores=13 clock_ghz=0.875 l2_kib=1536 bandwidth_gbs=240 peak_gflops=4368 "
     "block_shared_kib=48 block_threads=1024 block_registers=65536 warp=32"},
    {"v100",
     "kind=gpu isa=sm_70 cores=80 clock_ghz=1.53 l2_kib=6144 bandwidth_gbs=900 peak_gflops=15667 "
     "block_shared_kib=96 block_threads=1024 block_registers=65536 warp=32"},
    {"t4",
     "kind=gpu isa=sm_75 cores=40 clock_ghz=1.59 l2_kib=4096 bandwidth_gbs=320 peak_gflops=8141 "
     "block_shared_kib=64 block_threads=1024 block_registers=65536 warp=32"},
    {"a100",
     "kind=gpu isa=sm_80 cores=108 clock_ghz=1.41 l2_kib=40960 bandwidth_gbs=1555 peak_gflops=19492 "
     "block_shared_kib=163 block_threads=1024 block_registers=65536 warp=32"},
    {"m1-gpu",
     "kind=gpu isa=metal cores=8 clock_ghz=1.278 bandwidth_gbs=68 peak_gflops=2617 "
     "block_shared_kib=32 block_threads=1024 warp=32"},
});

}  // namespace

std::span<const Machine> known_machines() { return kMachines; }

bool is_known_machine(std::string_view name) {
  return std::ranges::find(kMachines, name, &Machine::name) != kMachines.end();
}

Machine machine_from(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && colon > 0) {
    std::string facts = text.substr(colon + 1);
    std::ranges::replace(facts, ',', ' ');
    target::parse_descriptor(facts);  // refuses what it cannot read
    return {text.substr(0, colon), std::move(facts)};
  }
  const auto at = std::ranges::find(kMachines, text, &Machine::name);
  if (at != kMachines.end()) return *at;
  std::vector<std::string> names;
  for (const Machine& machine : kMachines) names.push_back(machine.name);
  throw UserError(
      fmt::format("`{}` is no machine that hone knows", text),
      did_you_mean(text, names) + " Or describe one of your own as NAME:kind=cpu,isa=avx2,cores=8");
}

}  // namespace hone::record
