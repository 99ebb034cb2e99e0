#include "tune/estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "feature/cpu_rows.h"
#include "space/hardware.h"
#include "space/tiling.h"

namespace hone::tune {
namespace {

using feature::CodeColumn;

// Convolutions that are channels last take the cycles that are counted at 3.6 to 5 GHz on a Zen 4.
constexpr double kCyclesPerSecond = 4e9;

}  // namespace

// What comes from the second cache is left out: it arrives while instructions run, and its count has
// conflicts that do not happen (256 to 1024 channels of 14 x 14 pixels: four times what it takes).
double estimated_s(const task::Task& task, const target::Target& target) {
  const schedule::Steps steps = space::analytic_steps(task, target, target.cores);
  const feature::Replayed program(std::make_shared<const task::Task>(task), steps,
                                  space::hardware_of(target));
  const feature::Rows rows = feature::cpu_rows(program, target);
  if (rows.stages.empty()) return std::numeric_limits<double>::infinity();
  double cycles = 0;
  for (std::size_t r = 0; r < rows.stages.size(); ++r) {
    const auto column = [&](CodeColumn name) {
      const std::size_t place = r * feature::kCpuColumns + feature::cpu_column(name);
      return std::exp2(static_cast<double>(rows.values[place])) - 1;
    };
    cycles += std::max(column(CodeColumn::Issue),
                       column(CodeColumn::FarTraffic) + column(CodeColumn::MemoryTraffic));
  }
  return cycles / kCyclesPerSecond;
}

Estimate estimate_for(const target::Target& target) {
  return [target](const task::Task& task) { return estimated_s(task, target); };
}

}  // namespace hone::tune
