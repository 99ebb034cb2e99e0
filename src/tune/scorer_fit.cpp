#include "tune/scorer_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "score/network.h"
#include "tune/learned_scorer.h"

namespace hone::tune {
namespace {

// "statements 1, summary 2" -> statements, summary
std::vector<std::string> names_of(const std::string& features) {
  std::vector<std::string> names;
  std::istringstream list(features);
  for (std::string item; std::getline(list >> std::ws, item, ',');)
    names.push_back(item.substr(0, item.find(' ')));
  return names;
}

bool is_made_here(const std::string& features) {
  try {
    return feature_versions(names_of(features)) == features;
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
  if (!is_made_here(header.features))
    return fmt::format("it reads the features '{}', which this hone does not make", header.features);
  if (is_for_gpus(header)) return "it was trained on programs for GPUs";
  return {};
}

}  // namespace hone::tune
