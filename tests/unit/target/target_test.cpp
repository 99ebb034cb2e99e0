#include "target/target.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "target/detect.h"

namespace hone::target {
namespace {

constexpr std::string_view kZen4 =
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
    "flags\t\t: fpu sse2 pni ssse3 fma sse4_1 sse4_2 popcnt avx f16c abm bmi1 avx2 bmi2 avx512f "
    "avx512dq avx512bw avx512vl avx512_bf16 avx512_vnni\n";

TEST(Target, DetectsZen4ByFamilyAndModel) {
  const Target target = from_cpuinfo(kZen4, Arch::X86_64);
  EXPECT_EQ(target.cpu, "znver4");
  EXPECT_EQ(target.vector_bits, 512);
  EXPECT_EQ(target.vector_registers, 32);
  EXPECT_EQ(target.lanes(32), 16);
  EXPECT_NE(target.features.find("+avx512bf16"), std::string::npos);
  EXPECT_NE(target.features.find("+sse3"), std::string::npos);
}

TEST(Target, SwitchesOffWhatTheVirtualMachineHides) {
  std::string text(kZen4);
  text.erase(text.find("avx512f"));
  const Target target = from_cpuinfo(text, Arch::X86_64);
  EXPECT_EQ(target.cpu, "znver4");
  EXPECT_EQ(target.vector_bits, 256);
  EXPECT_EQ(target.vector_registers, 16);
  EXPECT_NE(target.features.find("-avx512f"), std::string::npos);
}

TEST(Target, KnowsAnUnknownModelByItsFeatures) {
  const Target target = from_cpuinfo("vendor_id : Other\nflags : avx2 fma\n", Arch::X86_64);
  EXPECT_EQ(target.cpu, "x86-64-v3");
  EXPECT_EQ(target.vector_bits, 256);
}

TEST(Target, RefusesAProcessorWithoutVectors) {
  EXPECT_THROW(from_cpuinfo("flags : sse2\n", Arch::X86_64), UserError);
  EXPECT_THROW(from_cpuinfo("", Arch::Aarch64), UserError);
}

TEST(Target, DetectsArm) {
  const Target target =
      from_cpuinfo("Features\t: fp asimd asimdhp\nCPU part\t: 0xd0c\n", Arch::Aarch64);
  EXPECT_EQ(target.cpu, "neoverse-n1");
  EXPECT_EQ(target.vector_bits, 128);
  EXPECT_EQ(target.features, "+neon,+fullfp16,-dotprod");
}

TEST(Target, ReadsDataCachesInOrder) {
  const auto folder = std::filesystem::temp_directory_path() / "hone_target_test_caches";
  const auto write = [&](int index, std::string_view file, std::string_view text) {
    std::filesystem::create_directories(folder / ("index" + std::to_string(index)));
    std::ofstream(folder / ("index" + std::to_string(index)) / file) << text << '\n';
  };
  const auto cache = [&](int index, std::string_view level, std::string_view type,
                         std::string_view size, std::string_view sharers) {
    write(index, "level", level), write(index, "type", type), write(index, "size", size);
    write(index, "ways_of_associativity", "8"), write(index, "coherency_line_size", "64");
    write(index, "shared_cpu_list", sharers);
  };
  cache(0, "3", "Unified", "32M", "0-7");
  cache(1, "1", "Instruction", "32K", "0");
  cache(2, "1", "Data", "48K", "0");
  const std::vector<Cache> caches = read_caches(folder);
  std::filesystem::remove_all(folder);
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].level, 1);
  EXPECT_EQ(caches[0].size_bytes, 48 << 10);
  EXPECT_FALSE(caches[0].shared);
  EXPECT_EQ(caches[1].size_bytes, 32 << 20);
  EXPECT_EQ(caches[1].ways, 8);
  EXPECT_TRUE(caches[1].shared);
}

TEST(Target, HostHasCoresAndVectors) {
  const Target target = host();
  EXPECT_GE(target.cores, 1);
  EXPECT_GE(target.vector_bits, 128);
  EXPECT_FALSE(target.cpu.empty());
}

TEST(Target, ReadsBackWhatItPrints) {
  for (const std::string& name : known_names()) {
    const Target target = parse(name);
    const std::string text = to_string(target);
    const Target again = parse(text);
    EXPECT_EQ(to_string(again), text);
    EXPECT_EQ(again.triple, target.triple);
    EXPECT_EQ(again.caches.size(), target.caches.size());
    EXPECT_EQ(again.name, text);
  }
}

TEST(Target, SaysWhatIsWrongWithAString) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      parse(text);
    } catch (const UserError& error) {
      EXPECT_NE(error.hint().find("avx512"), std::string::npos);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message("avx3").find("\"avx3\" is no target"), std::string::npos);
  EXPECT_NE(message("cpu -arch=mips").find("-arch"), std::string::npos);
  EXPECT_NE(message("cpu -arch=x86_64 -vector=wide").find("-vector"), std::string::npos);
  EXPECT_NE(message("cpu -arch=x86_64 -colour=red").find("-colour"), std::string::npos);
  EXPECT_NE(message("cpu -vector=128").find("no -arch"), std::string::npos);
}

}  // namespace
}  // namespace hone::target
