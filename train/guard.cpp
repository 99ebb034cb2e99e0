#include "train/guard.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "score/metrics.h"
#include "train/evaluate.h"
#include "train/fit.h"
#include "train/kinds.h"

namespace hone::train {
namespace {

constexpr std::size_t kFolds = 3;

// Tasks of the target that were measured, with those for validation: they are held out in turn anyway.
TaskIds measured_on_target(const Material& material) {
  TaskIds tasks;
  for (const TaskIds* part : {&material.split.training, &material.split.validation})
    std::ranges::copy_if(*part, std::back_inserter(tasks), [&](std::uint32_t id) {
      return material.set.is_of_target(material.set.tasks[id]);
    });
  return tasks;
}

// Without these tasks, on any machine, and without the source.
Material without(const Material& material, const TaskIds& held_out, FoldBy by, std::uint32_t source) {
  const auto name = [&](std::uint32_t id) {
    const Task& task = material.set.tasks[id];
    return by == FoldBy::Task ? task.key : task.structure;
  };
  std::set<std::string> gone;
  for (const std::uint32_t id : held_out) gone.insert(name(id));
  Material rest = material;
  rest.split.training.insert(rest.split.training.end(), rest.split.validation.begin(),
                             rest.split.validation.end());
  rest.split.validation.clear();
  std::erase_if(rest.split.training, [&](std::uint32_t id) {
    return gone.count(name(id)) != 0 || (source != 0 && rest.set.tasks[id].platform == source);
  });
  return rest;
}

// Of each held-out task the share of its pairs that is ordered right.
std::map<std::uint32_t, double> accuracies(Model& model, const Features& features, const DataSet& set,
                                           const TaskIds& tasks) {
  std::map<std::uint32_t, double> out;
  for (const std::uint32_t id : tasks)
    out[id] = score::pairwise_accuracy(ask(model, features, set.tasks[id].programs).score,
                                       relative_times(set, set.tasks[id]));
  return out;
}

Harm compare(const std::string& source, const std::map<std::uint32_t, double>& with,
             const std::map<std::uint32_t, double>& without_it) {
  double sum = 0, squares = 0;
  const auto n = static_cast<double>(with.size());
  for (const auto& [task, accuracy] : with) {
    const double gain = without_it.at(task) - accuracy;
    sum += gain;
    squares += gain * gain;
  }
  const double mean = sum / n;
  return {source, mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / (n - 1))};
}

}  // namespace

std::vector<Harm> judge_sources(const std::string& kind, const Options& options, Fold fold,
                                const Material& material, torch::Device device,
                                const std::atomic<bool>& stop) {
  const auto n_epochs = static_cast<std::size_t>(options.whole("guard"));
  const TaskIds tasks = measured_on_target(material);
  if (tasks.size() < kFolds) return {};
  const Features features(material.set, kind_named(kind).views(options), device);
  const std::vector<TaskIds> folds =
      deal_folds(material.set, tasks, kFolds, options.whole("seed"), fold.by);
  std::vector<std::map<std::uint32_t, double>> found(
      material.set.platforms.size());  // 0: with all sources
  for (std::uint32_t left_out = 0; left_out < found.size(); ++left_out) {
    for (const TaskIds& held_out : folds) {
      const Material rest = without(material, held_out, fold.by, left_out);
      if (rest.split.training.empty()) return {};
      Fit fit(kind, options, rest, features);
      for (std::size_t i = 0; i < n_epochs; ++i) {
        const std::optional<double> loss = fit.epoch(n_epochs, stop);
        if (!loss) return {};
        fit.training.curves.loss.push_back(*loss);
      }
      found[left_out].merge(accuracies(*fit.training.model, features, material.set, held_out));
    }
  }
  std::vector<Harm> harms;
  for (std::size_t i = 1; i < found.size(); ++i)
    harms.push_back(compare(material.set.platforms[i].name, found[0], found[i]));
  return harms;
}

void drop_sources(Material& material, const std::vector<std::string>& names) {
  DataSet& set = material.set;
  const auto is_dropped = [&](const Platform& platform) {
    return std::ranges::count(names, platform.name) > 0;
  };
  for (TaskIds* part : {&material.split.training, &material.split.validation})
    std::erase_if(*part,
                  [&](std::uint32_t id) { return is_dropped(set.platforms[set.tasks[id].platform]); });
  std::vector<Platform> ordered = set.platforms;
  std::ranges::stable_partition(ordered, std::not_fn(is_dropped));
  for (Platform& platform : ordered)
    if (is_dropped(platform)) platform.labels = 0;
  for (Task& task : set.tasks)
    task.platform = static_cast<std::uint32_t>(
        std::ranges::find(ordered, set.platforms[task.platform].name, &Platform::name) -
        ordered.begin());
  set.platforms = std::move(ordered);
}

}  // namespace hone::train
