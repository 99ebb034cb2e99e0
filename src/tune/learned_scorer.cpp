#include "tune/learned_scorer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/gzip.h"
#include "feature/section_rows.h"
#include "space/hardware.h"
#include "tune/dense_compiler.h"

namespace hone::tune {
namespace {

feature::SectionInput section_input(const std::shared_ptr<const task::Task>& task,
                                    const space::Hardware& hardware, const schedule::Steps& steps) {
  static constexpr std::uint32_t kFirst = 0;
  return {.tasks = {{task, hardware}},
          .task_of = std::span(&kFirst, 1),
          .steps_of = [&steps](std::size_t /*the only one*/) { return steps; }};
}

score::View view_of(const std::string& name, const feature::SectionRows& rows) {
  feature::Made made = rows.make(0);
  if (made.refusal) throw UserError(fmt::format("{}: {}", made.refusal->reason, made.refusal->details));
  return {name, static_cast<std::size_t>(rows.width), std::move(made.values)};
}

}  // namespace

std::string feature_versions(const std::vector<std::string>& names) {
  const feature::SectionInput none;
  std::vector<std::string> out;
  for (const std::string& name : names)
    out.push_back(fmt::format("{} {}", name, feature::section_rows(name, none).version));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::shared_ptr<const score::Network> load_scorer(const std::string& path, const target::Target& target,
                                                  const std::string& cache_folder) {
  const score::ScorerFile file = score::parse_scorer(read_maybe_gzip(path), path);
  std::shared_ptr<const score::Network> network = score::make_network(
      file, dense_compiler({.target = target, .folder = cache_folder, .key = file.weights}));
  score::require_features(file.header, feature_versions(network->views()), path);
  return network;
}

Views::Views(const score::Network& network, std::shared_ptr<const task::Task> task,
             const target::Target& target)
    : task_(std::move(task)), hardware_(space::hardware_of(target)) {
  const schedule::Steps none;
  const feature::SectionInput input = section_input(task_, hardware_, none);
  for (const std::string& name : network.views()) {
    const feature::SectionRows rows = feature::section_rows(name, input);
    rows.is_of_tasks ? of_task_.push_back(view_of(name, rows)) : names_.push_back(name);
  }
}

std::vector<score::View> Views::of(const schedule::Steps& steps) const {
  std::vector<score::View> out = of_task_;
  const feature::SectionInput input = section_input(task_, hardware_, steps);
  for (const std::string& name : names_)
    out.push_back(view_of(name, feature::section_rows(name, input)));
  return out;
}

}  // namespace hone::tune
