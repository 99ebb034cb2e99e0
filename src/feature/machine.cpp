#include "feature/machine.h"

#include "feature/columns.h"

namespace hone::feature {
namespace {

using space::Hardware;
using target::Descriptor;
using target::MachineKind;

// The descriptor with what the records add.
Descriptor completed(Descriptor out, const Hardware& hardware) {
  const auto complete = [](double& value, double said) {
    if (value == 0) value = std::max(0.0, said);
  };
  if (hardware.kind == Hardware::Kind::Gpu) {
    constexpr double kKib = 1024;
    complete(out.block_shared_kib, hardware.max_shared_bytes / kKib);
    complete(out.block_threads, hardware.max_threads);
    complete(out.warp, hardware.warp);
  } else {
    complete(out.threads, hardware.cores);
    complete(out.cores, hardware.cores);
  }
  if (out.kind == MachineKind::Unknown)
    out.kind = hardware.kind == Hardware::Kind::Gpu ? MachineKind::Gpu : MachineKind::Cpu;
  return out;
}

void write(Columns& to, const Descriptor& machine) {
  to.flag("is_cpu", machine.kind == MachineKind::Cpu);
  to.flag("is_gpu", machine.kind == MachineKind::Gpu);
  for (const auto& [name, value] : target::descriptor_fields()) {
    to.amount(name, machine.*value);
    to.flag(std::string(name) + "_is_known", machine.*value > 0);
  }
}

}  // namespace

std::vector<float> machine_row(const Descriptor& descriptor, const Hardware& hardware) {
  std::vector<float> values;
  Columns columns(values);
  write(columns, completed(descriptor, hardware));
  return values;
}

const std::vector<std::string>& machine_names() {
  static const std::vector<std::string> names = column_names([](Columns& to) { write(to, {}); });
  return names;
}

}  // namespace hone::feature
