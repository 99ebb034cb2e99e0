#include "tune/scorer_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "score/network.h"
#include "tune/learned_scorer.h"

namespace hone::tune {
namespace {

bool is_made_here(const score::ModelHeader& header) {
  try {
    return feature_versions(score::feature_names(header)) == header.features;
  } catch (const UserError&) {  // a feature that there is not
    return false;
  }
}

bool is_for_gpus(const score::ModelHeader& header) {
  return std::ranges::any_of(header.metrics, [](const auto& metric) {
    return metric.first == "gpu_share" && metric.second > 0.5;
  });
}

}  // namespace

std::string misfit_of(const score::ModelHeader& header) {
  const std::vector<std::string>& kinds = score::network_kinds();
  if (std::ranges::find(kinds, header.kind) == kinds.end())
    return fmt::format("scorers of kind '{}' can be judged only", header.kind);
  if (!is_made_here(header))
    return fmt::format("it reads the features '{}', which this hone does not make", header.features);
  if (is_for_gpus(header)) return "it was trained on programs for GPUs";
  return {};
}

std::string foreign_to(const std::string& cpu, const score::ModelHeader& header) {
  std::vector<std::string> machines;
  for (const auto& [name, programs] : header.platforms) machines.push_back(name);
  if (machines.empty() || std::ranges::find(machines, cpu) != machines.end()) return {};
  return fmt::format("it was trained on programs of {}, and this is {}", fmt::join(machines, ", "),
                     cpu);
}

}  // namespace hone::tune
