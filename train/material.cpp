#include "train/material.h"

#include <algorithm>

#include "base/random.h"
#include "train/target_labels.h"

namespace hone::train {
namespace {

void limit_labels(Material& material, const Target& target, std::uint64_t seed) {
  const std::vector<Program> labelled =
      target.programs.empty() ? choose_labelled(material.set, material.split, *target.labels, seed)
                              : read_labelled(material.set, target.programs);
  const std::size_t left = withhold_labels(material.set, material.split, labelled);
  if (left < labelled.size())
    material.warnings.push_back(std::to_string(labelled.size() - left) + " of the " +
                                std::to_string(labelled.size()) + " programs in " + target.programs +
                                " are of tasks that are left out");
}

void count_labels(Material& material) {
  for (const TaskIds* part : {&material.split.training, &material.split.validation})
    for (const std::uint32_t id : *part) {
      const Task& task = material.set.tasks[id];
      material.set.platforms[task.platform].labels += task.programs.size();
    }
}

}  // namespace

std::uint64_t Material::hash() const {
  std::uint64_t hash = set.content_hash();
  for (const TaskIds* part : {&split.training, &split.validation}) {
    hash = mix_bits(hash ^ part->size());
    for (const std::uint32_t task : *part)
      for (const Program program : set.tasks[task].programs) hash = mix_bits(hash ^ program);
  }
  return hash;
}

TaskIds Material::judged() const {
  TaskIds of_target;
  std::ranges::copy_if(split.validation, std::back_inserter(of_target),
                       [&](std::uint32_t task) { return set.is_of_target(set.tasks[task]); });
  return of_target.empty() ? split.validation : of_target;
}

Material load_material(const std::vector<std::string>& sets, const Options& options, Fold left_out,
                       const Target& target) {
  const auto seed = static_cast<std::uint64_t>(options.whole("seed"));
  Material material{load_data_sets(sets, options.word("label", {"min", "mean"})), {}, {}, {}};
  DataSet& set = material.set;
  if (!target.platform.empty()) set_target(set, target.platform);
  const auto hopeless = std::ranges::count(set.tasks, 0.0, &Task::best_s);
  if (hopeless > 0)
    material.warnings.push_back(std::to_string(hopeless) +
                                " tasks without a program that works are left out");
  material.split = split_tasks(set, left_out, options.number("validation"), seed);
  material.keys = keys_of(set, material.split);
  if (target.labels || !target.programs.empty()) limit_labels(material, target, seed);
  count_labels(material);
  return material;
}

}  // namespace hone::train
