#include "target/detect.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "base/error.h"

namespace hone::target {
namespace {

struct Feature {
  std::string_view linux_name;
  std::string_view llvm_name;
};

// Everything that can change the code of a kernel. What a virtual machine hides must be switched off by
// name, since LLVM's cpu model would bring it back.
constexpr Feature kX86Features[] = {
    {"sse3", "sse3"},
    {"ssse3", "ssse3"},
    {"sse4_1", "sse4.1"},
    {"sse4_2", "sse4.2"},
    {"popcnt", "popcnt"},
    {"avx", "avx"},
    {"avx2", "avx2"},
    {"fma", "fma"},
    {"f16c", "f16c"},
    {"bmi1", "bmi"},
    {"bmi2", "bmi2"},
    {"abm", "lzcnt"},
    {"movbe", "movbe"},
    {"avx512f", "avx512f"},
    {"avx512bw", "avx512bw"},
    {"avx512cd", "avx512cd"},
    {"avx512dq", "avx512dq"},
    {"avx512vl", "avx512vl"},
    {"avx512vbmi", "avx512vbmi"},
    {"avx512_vbmi2", "avx512vbmi2"},
    {"avx512_vnni", "avx512vnni"},
    {"avx512_bf16", "avx512bf16"},
    {"avx512_bitalg", "avx512bitalg"},
    {"avx512_vpopcntdq", "avx512vpopcntdq"},
    {"gfni", "gfni"},
};

constexpr Feature kArmFeatures[] = {
    {"asimd", "neon"},
    {"asimdhp", "fullfp16"},
    {"asimddp", "dotprod"},
};

// LLVM's names of the processors whose scheduling model matters; any other one gets the generic model.
struct X86Model {
  std::string_view vendor;
  int family, first_model, last_model;
  std::string_view cpu;
};
constexpr X86Model kX86Models[] = {
    {"AuthenticAMD", 23, 0x00, 0x2f, "znver1"},
    {"AuthenticAMD", 23, 0x30, 0xff, "znver2"},
    {"AuthenticAMD", 25, 0x00, 0x0f, "znver3"},
    {"AuthenticAMD", 25, 0x10, 0x1f, "znver4"},
    {"AuthenticAMD", 25, 0x20, 0x5f, "znver3"},
    {"AuthenticAMD", 25, 0x60, 0xff, "znver4"},
    {"AuthenticAMD", 26, 0x00, 0xff, "znver5"},
    {"GenuineIntel", 6, 0x3c, 0x46, "haswell"},
    {"GenuineIntel", 6, 0x4e, 0x4e, "skylake"},
    {"GenuineIntel", 6, 0x55, 0x55, "skylake-avx512"},
    {"GenuineIntel", 6, 0x5e, 0x5e, "skylake"},
    {"GenuineIntel", 6, 0x6a, 0x6c, "icelake-server"},
    {"GenuineIntel", 6, 0x7d, 0x7e, "icelake-client"},
    {"GenuineIntel", 6, 0x8e, 0x8e, "skylake"},
    {"GenuineIntel", 6, 0x8f, 0x8f, "sapphirerapids"},
    {"GenuineIntel", 6, 0x97, 0x9a, "alderlake"},
    {"GenuineIntel", 6, 0x9e, 0x9e, "skylake"},
    {"GenuineIntel", 6, 0xcf, 0xcf, "emeraldrapids"},
};

struct ArmPart {
  int part;
  std::string_view cpu;
};
constexpr ArmPart kArmParts[] = {
    {0xd08, "cortex-a72"}, {0xd0b, "cortex-a76"},  {0xd0c, "neoverse-n1"}, {0xd40, "neoverse-v1"},
    {0xd41, "cortex-a78"}, {0xd49, "neoverse-n2"}, {0xd4f, "neoverse-v2"}, {0xd80, "cortex-a520"},
};

// The value of the first line `key : value`, or empty.
std::string_view field(std::string_view cpuinfo, std::string_view key) {
  while (!cpuinfo.empty()) {
    const std::string_view line = cpuinfo.substr(0, cpuinfo.find('\n'));
    cpuinfo.remove_prefix(std::min(cpuinfo.size(), line.size() + 1));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view name = line.substr(0, colon);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    if (name != key) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string_view::npos ? std::string_view() : line.substr(start);
  }
  return {};
}

int number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

std::set<std::string, std::less<>> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

// LLVM's feature string: "+" for what the machine has, "-" for what it has not.
template <std::size_t N>
std::string feature_string(const std::set<std::string, std::less<>>& flags, const Feature (&known)[N]) {
  std::string out;
  for (const Feature& feature : known) {
    if (!out.empty()) out += ',';
    out += flags.contains(feature.linux_name) ? '+' : '-';
    out += feature.llvm_name;
  }
  return out;
}

Target x86_target(std::string_view cpuinfo) {
  auto flags = words(field(cpuinfo, "flags"));
  if (flags.contains("pni")) flags.insert("sse3");  // Linux's name for it
  if (!flags.contains("avx2") || !flags.contains("fma")) {
    throw UserError("this processor has no AVX2 with FMA", "hone needs a processor of 2013 or later");
  }
  const bool avx512 = flags.contains("avx512f") && flags.contains("avx512bw") &&
                      flags.contains("avx512dq") && flags.contains("avx512vl");
  Target target;
  target.arch = Arch::X86_64;
  target.triple = "x86_64-unknown-linux-gnu";
  target.cpu = avx512 ? "x86-64-v4" : "x86-64-v3";
  const int family = number(field(cpuinfo, "cpu family"));
  const int model = number(field(cpuinfo, "model"));
  for (const X86Model& known : kX86Models) {
    if (known.vendor == field(cpuinfo, "vendor_id") && known.family == family &&
        known.first_model <= model && model <= known.last_model) {
      target.cpu = known.cpu;
    }
  }
  target.features = feature_string(flags, kX86Features);
  target.vector_bits = avx512 ? 512 : 256;
  target.vector_registers = avx512 ? 32 : 16;
  return target;
}

Target arm_target(std::string_view cpuinfo) {
  const auto flags = words(field(cpuinfo, "Features"));
  if (!flags.contains("asimd")) throw UserError("this processor has no NEON vectors");
  Target target;
  target.arch = Arch::Aarch64;
  target.triple = "aarch64-unknown-linux-gnu";
  target.cpu = "generic";
  const int part = number(field(cpuinfo, "CPU part"));
  for (const ArmPart& known : kArmParts) {
    if (known.part == part) target.cpu = known.cpu;
  }
  target.features = feature_string(flags, kArmFeatures);
  target.vector_bits = 128;
  target.vector_registers = 32;
  return target;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string first_line(const std::filesystem::path& path) {
  std::string text = read_text(path);
  return text.substr(0, text.find('\n'));
}

// CPUs that this process may run on, which a container or taskset can make fewer than the machine has.
int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

Target from_cpuinfo(std::string_view cpuinfo, Arch arch) {
  return arch == Arch::X86_64 ? x86_target(cpuinfo) : arm_target(cpuinfo);
}

std::vector<Cache> read_caches(const std::filesystem::path& folder) {
  std::vector<Cache> caches;
  for (int index = 0;; ++index) {
    const std::filesystem::path entry = folder / ("index" + std::to_string(index));
    if (!std::filesystem::exists(entry / "level")) break;
    if (first_line(entry / "type") == "Instruction") continue;
    const std::string size = first_line(entry / "size");
    const std::int64_t unit = size.ends_with('M') ? 1 << 20 : size.ends_with('K') ? 1 << 10 : 1;
    const std::string sharers = first_line(entry / "shared_cpu_list");
    caches.push_back({.level = number(first_line(entry / "level")),
                      .size_bytes = number(size) * unit,
                      .ways = number(first_line(entry / "ways_of_associativity")),
                      .line_bytes = number(first_line(entry / "coherency_line_size")),
                      .shared = sharers.find_first_of(",-") != std::string::npos});
  }
  std::ranges::sort(caches, {}, &Cache::level);
  return caches;
}

double clock_ghz() {
  const std::string highest = first_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  constexpr double kKhz = 1e-6, kMhz = 1e-3;
  if (const int khz = number(highest); khz > 0) return khz * kKhz;
  const std::string cpuinfo = read_text("/proc/cpuinfo");
  return std::max(0, number(field(cpuinfo, "cpu MHz"))) * kMhz;
}

Target host() {
#if defined(__x86_64__)
  constexpr Arch kArch = Arch::X86_64;
#elif defined(__aarch64__)
  constexpr Arch kArch = Arch::Aarch64;
#else
#error "hone runs on x86-64 and AArch64"
#endif
  Target target = from_cpuinfo(read_text("/proc/cpuinfo"), kArch);
  target.name = "host";
  target.cores = usable_cores();
  target.caches = read_caches("/sys/devices/system/cpu/cpu0/cache");
  return target;
}

}  // namespace hone::target
