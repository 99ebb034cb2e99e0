#include "measure/measured_descriptor.h"

#include <cmath>
#include <map>
#include <mutex>

#include "codegen/peak.h"
#include "measure/bandwidth.h"
#include "target/detect.h"

namespace hone::measure {
namespace {

double three_digits(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

target::Descriptor measure(const target::Target& target) {
  target::Descriptor out = target::describe(target);
  out.clock_ghz = three_digits(target::clock_ghz());
  out.core_gflops = three_digits(codegen::measured_peak_gflops(target, 1));
  out.peak_gflops = three_digits(codegen::measured_peak_gflops(target, target.cores));
  out.bandwidth_gbs = three_digits(measured_bandwidth_gbs(target, target.cores));
  return out;
}

}  // namespace

target::Descriptor measured_descriptor(const target::Target& target) {
  static std::mutex mutex;
  static std::map<std::string, target::Descriptor> known;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = known.try_emplace(target::to_string(target));
  if (is_new) at->second = measure(target);
  return at->second;
}

}  // namespace hone::measure
