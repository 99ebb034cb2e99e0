#include "cli/dataset_hardware.h"

namespace hone::cli {
namespace {

// Of the records of v0.2, which came before the numbers.
space::Hardware unstated(std::string_view target) {
  space::Hardware hardware;
  if (!target.starts_with("llvm")) {
    hardware.kind = space::Hardware::Kind::Gpu;
    hardware.cores = -1;
  }
  return hardware;
}

}  // namespace

std::vector<space::Hardware> hardware_of_tasks(const record::Dataset& set) {
  std::vector<space::Hardware> hardware;
  for (std::size_t task = 0; task < set.n_tasks(); ++task)
    hardware.push_back(unstated(set.target[task]));
  std::vector<bool> is_known(set.n_tasks());
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    set.check_program(program);
    const std::uint32_t task = set.task[program];
    if (is_known[task] || set.kind[task] != record::ProgramKind::Steps) continue;
    is_known[task] = true;
    const record::Record record = set.record(program);
    if (record.hardware.size() == record::kHardwareNumbers)
      hardware[task] = space::hardware_from(record.hardware);
  }
  return hardware;
}

target::Descriptor descriptor_of(const record::Dataset& set, std::size_t task) {
  for (std::size_t i = 0; i < set.machines.size(); ++i)
    if (set.machines[i] == set.machine[task]) return target::parse_descriptor(set.descriptors[i]);
  return {};
}

}  // namespace hone::cli
