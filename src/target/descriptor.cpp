#include "target/descriptor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/split.h"

namespace hone::target {
namespace {

constexpr auto kFields = std::to_array<DescriptorField>({
    {"cores", &Descriptor::cores},
    {"threads", &Descriptor::threads},
    {"vector_bits", &Descriptor::vector_bits},
    {"vector_registers", &Descriptor::vector_registers},
    {"clock_ghz", &Descriptor::clock_ghz},
    {"l1_kib", &Descriptor::l1_kib},
    {"l2_kib", &Descriptor::l2_kib},
    {"l3_kib", &Descriptor::l3_kib},
    {"bandwidth_gbs", &Descriptor::bandwidth_gbs},
    {"core_gflops", &Descriptor::core_gflops},
    {"peak_gflops", &Descriptor::peak_gflops},
    {"block_shared_kib", &Descriptor::block_shared_kib},
    {"block_threads", &Descriptor::block_threads},
    {"block_registers", &Descriptor::block_registers},
    {"warp", &Descriptor::warp},
});

constexpr std::string_view kExample = "write facts as kind=cpu cores=8 clock_ghz=3.2";

[[noreturn]] void refuse_name(std::string_view name) {
  std::vector<std::string> names = {"kind", "isa"};
  for (const DescriptorField& field : kFields) names.emplace_back(field.name);
  throw UserError("a machine has no field `" + std::string(name) + "`", did_you_mean(name, names));
}

MachineKind kind_from(std::string_view text) {
  if (text == "cpu") return MachineKind::Cpu;
  if (text == "gpu") return MachineKind::Gpu;
  if (text == "mixed") return MachineKind::Unknown;
  throw UserError("a machine of kind `" + std::string(text) + "` is unknown", "cpu, gpu or mixed");
}

double number_from(std::string_view name, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value))
    throw UserError("the machine's field `" + std::string(name) + "` has no value above 0: `" +
                        std::string(text) + "`",
                    std::string(kExample));
  return value;
}

// As short as it can be.
std::string text_of(double value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  check(error == std::errc(), "a number fits into 32 digits");
  return {digits.data(), end};
}

bool is_measured(double Descriptor::* field) {
  return field == &Descriptor::clock_ghz || field == &Descriptor::bandwidth_gbs ||
         field == &Descriptor::core_gflops || field == &Descriptor::peak_gflops;
}

}  // namespace

std::span<const DescriptorField> descriptor_fields() { return kFields; }

Descriptor parse_descriptor(std::string_view text) {
  Descriptor out;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    const std::string_view name = word.substr(0, word.find('='));
    const std::string_view value = word.substr(std::min(word.size(), name.size() + 1));
    if (name == "kind") {
      out.kind = kind_from(value);
      continue;
    }
    if (name == "isa") continue;
    const auto field = std::ranges::find(kFields, name, &DescriptorField::name);
    if (field == kFields.end()) refuse_name(name);
    out.*field->value = number_from(name, value);
  }
  return out;
}

std::string to_string(const Descriptor& descriptor) {
  std::string out = descriptor.kind == MachineKind::Cpu   ? "kind=cpu"
                    : descriptor.kind == MachineKind::Gpu ? "kind=gpu"
                                                          : "kind=mixed";
  for (const auto& [name, value] : kFields)
    if (descriptor.*value > 0) out += " " + std::string(name) + "=" + text_of(descriptor.*value);
  return out;
}

bool agree(const Descriptor& a, const Descriptor& b) {
  constexpr double kNoise = 1.3;  // between two measurements of a machine that others use, too
  return a.kind == b.kind && std::ranges::all_of(kFields, [&](const DescriptorField& field) {
           const double x = a.*field.value, y = b.*field.value;
           if (x == 0 || y == 0 || x == y) return true;
           return is_measured(field.value) && std::max(x, y) <= kNoise * std::min(x, y);
         });
}

Descriptor describe(const Target& target) {
  Descriptor out;
  out.kind = MachineKind::Cpu;
  out.cores = target.cores;
  out.vector_bits = target.vector_bits;
  out.vector_registers = target.vector_registers;
  for (const Cache& cache : target.caches) {
    const double kib = static_cast<double>(cache.size_bytes) / 1024;
    if (cache.level == 1) out.l1_kib = kib;
    if (cache.level == 2) out.l2_kib = kib;
    if (cache.level == 3) out.l3_kib = kib;
  }
  return out;
}

}  // namespace hone::target
