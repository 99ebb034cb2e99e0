#include "measure/measured_descriptor.h"

#include <gtest/gtest.h>

namespace hone::measure {
namespace {

TEST(MeasuredDescriptor, KnowsAllOfACpu) {
  const target::Target host = target::host();
  const target::Descriptor machine = measured_descriptor(host);
  EXPECT_EQ(machine.kind, target::MachineKind::Cpu);
  EXPECT_EQ(machine.cores, host.cores);
  EXPECT_GT(machine.core_gflops, 1);
  EXPECT_GE(machine.peak_gflops, 0.5 * machine.core_gflops);
  EXPECT_GT(machine.bandwidth_gbs, 0.1);
  // Asked again it says the same, and its text is read back.
  EXPECT_EQ(to_string(measured_descriptor(host)), to_string(machine));
  EXPECT_EQ(to_string(target::parse_descriptor(to_string(machine))), to_string(machine));
}

}  // namespace
}  // namespace hone::measure
