#include "target/descriptor.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::target {
namespace {

TEST(Descriptor, IsReadAsItIsPrinted) {
  const char* const text = "kind=gpu cores=80 clock_ghz=1.53 l2_kib=6144 bandwidth_gbs=900 warp=32";
  const Descriptor read = parse_descriptor(text);
  EXPECT_EQ(read.kind, MachineKind::Gpu);
  EXPECT_EQ(read.clock_ghz, 1.53);
  EXPECT_EQ(read.l3_kib, 0);
  EXPECT_EQ(to_string(read), text);
  EXPECT_EQ(parse_descriptor("warp=32 isa=sm_70 kind=gpu").warp, 32);
}

TEST(Descriptor, NamesEveryNumberOnce) {
  for (const DescriptorField& field : descriptor_fields()) {
    const Descriptor one = parse_descriptor(std::string(field.name) + "=7");
    for (const DescriptorField& other : descriptor_fields())
      EXPECT_EQ(one.*other.value, &other == &field ? 7 : 0) << field.name << " " << other.name;
  }
}

TEST(Descriptor, RefusesWhatIsNoFact) {
  for (const char* text :
       {"cors=8", "cores", "cores=", "cores=0", "cores=-2", "cores=8x", "cores=inf", "kind=tpu"})
    EXPECT_THROW(parse_descriptor(text), UserError) << text;
}

TEST(Descriptor, AgreesWithItselfMeasuredAgain) {
  const auto agrees = [](const char* a, const char* b) {
    return agree(parse_descriptor(a), parse_descriptor(b)) &&
           agree(parse_descriptor(b), parse_descriptor(a));
  };
  EXPECT_TRUE(agrees("kind=cpu cores=2 peak_gflops=236", "kind=cpu cores=2 peak_gflops=190"));
  EXPECT_TRUE(agrees("kind=cpu cores=2", "kind=cpu cores=2 peak_gflops=190"));
  EXPECT_FALSE(agrees("kind=cpu cores=2 peak_gflops=236", "kind=cpu cores=2 peak_gflops=100"));
  EXPECT_FALSE(agrees("kind=cpu cores=2", "kind=cpu cores=4"));
  EXPECT_FALSE(agrees("kind=cpu cores=2", "kind=gpu cores=2"));
}

TEST(Descriptor, OfATargetHasItsCaches) {
  const Descriptor machine = describe(
      parse("cpu -arch=x86_64 -mcpu=znver4 -mattr=+avx2,+fma -vector=256 -registers=16 -cores=2 "
            "-caches=1:32K:8:64,2:1024K:8:64,3:32768K:16:64:shared"));
  EXPECT_EQ(to_string(machine),
            "kind=cpu cores=2 vector_bits=256 vector_registers=16 l1_kib=32 l2_kib=1024 l3_kib=32768");
}

}  // namespace
}  // namespace hone::target
