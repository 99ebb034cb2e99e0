#include "tune/learned_scorer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/gzip.h"
#include "measure/measured_descriptor.h"
#include "tune/dense_compiler.h"
#include "tune/onnx_scorer.h"

namespace hone::tune {

// The target's cores are the threads that programs run on, the descriptor's those of the machine.
target::Descriptor descriptor_for(const score::Network& network, target::Target target) {
  if (std::ranges::find(network.views(), "machine") == network.views().end()) return {};
  const target::Target host = target::host();
  if (target.cpu != host.cpu || target.features != host.features) return target::describe(target);
  target.cores = host.cores;
  return measure::measured_descriptor(target);
}

std::string feature_versions(const std::vector<std::string>& names) {
  const feature::SectionInput none;
  std::vector<std::string> out;
  for (const std::string& name : names)
    out.push_back(fmt::format("{} {}", name, feature::section_rows(name, none).version));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::shared_ptr<const score::Network> load_scorer(const std::string& path, const target::Target& target,
                                                  const std::string& cache_folder, bool tells_hidden) {
  if (is_onnx(path)) return load_onnx_scorer(path, target, cache_folder, tells_hidden);
  const score::ScorerFile file = score::parse_scorer(read_maybe_gzip(path), path);
  std::shared_ptr<const score::Network> network = score::make_network(
      file, dense_compiler({.target = target, .folder = cache_folder, .key = file.weights}),
      tells_hidden);
  score::require_features(file.header, feature_versions(network->views()), path);
  return network;
}

Views::Views(const std::vector<std::string>& names, const std::shared_ptr<const task::Task>& task,
             const space::Hardware& hardware, const target::Descriptor& machine) {
  const feature::SectionInput input{
      .tasks = {{task, hardware, machine}}, .task_of = {}, .steps_of = {}};
  for (const std::string& name : names) {
    feature::SectionRows rows = feature::section_rows(name, input);
    if (rows.is_of_tasks) {
      const auto columns = static_cast<std::size_t>(rows.width);
      of_task_.push_back({name, columns, rows.make(0).values});
      continue;
    }
    if (!rows.of_replayed)
      throw UserError("the scorer reads " + name + ", which a candidate does not have by itself",
                      "train it with other features to search with it");
    rows.make = nullptr;  // it refers to the input
    of_candidates_.push_back({name, std::move(rows)});
  }
}

std::vector<score::View> Views::of(const feature::Replayed& candidate) const {
  std::vector<score::View> out = of_task_;
  for (const auto& [name, rows] : of_candidates_)
    out.push_back({name, static_cast<std::size_t>(rows.width), rows.of_replayed(candidate)});
  return out;
}

}  // namespace hone::tune
