#include "score/adapt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/random.h"
#include "base/shuffle.h"
#include "score/adapt_fit.h"
#include "score/coverage.h"
#include "score/metrics.h"
#include "score/tensors.h"

namespace hone::score {
namespace {

constexpr std::array kNames = {"frozen",           "last layer", "distilled",
                               "momentum teacher", "trees",      "last layer and trees"};
// How much leaving the source costs, in labels.
constexpr std::array kStiffness = {3.0, 30.0, 300.0};
constexpr double kUsualStiffness = 30;  // where trees take their time, too
// A pair of programs counts by how much their times differ, up to this factor's logarithm, and by how
// fast the faster one is: only the order among good programs decides what is picked.
constexpr double kMostDifference = 0.7;

struct Judged {
  double order = 0, top1 = 0;
  TaskClaims claims;
};

Judged judge(const AdaptMaterial& material, std::size_t task, const std::vector<AdaptSaid>& all) {
  const std::vector<std::size_t>& programs = material.tasks[task];
  std::vector<double> said, times;
  TaskClaims claims;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const double measured = material.log_latency[programs[i]];
    said.push_back(all[i].score);
    times.push_back(std::exp(measured));
    claims.push_back({all[i].log_latency, all[i].spread, measured});
  }
  double right = 0, total = 0;
  for (std::size_t a = 0; a < programs.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double first = material.log_latency[programs[a]];
      const double second = material.log_latency[programs[b]];
      const double apart = first - second;
      const double counts =
          std::min(std::abs(apart), kMostDifference) * std::exp(-std::min(first, second));
      total += counts;
      if (said[a] == said[b])
        right += counts / 2;
      else if ((said[a] < said[b]) == (apart > 0))
        right += counts;
    }
  }
  return {total > 0 ? right / total : 0.5, top_k(said, times, 1), std::move(claims)};
}

// Of each task, judged by a fit that has not seen it.
std::vector<Judged> cross_validate(const AdaptMaterial& material, const AdaptTrial& trial,
                                   const AdaptOptions& options) {
  const std::size_t n = material.tasks.size();
  const auto folds = std::min<std::size_t>(n, static_cast<std::size_t>(std::max(2, options.folds)));
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  Random random(options.seed, 0);
  shuffle(order, random);
  std::vector<Judged> out(n);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    TaskNumbers seen, unseen;
    for (std::size_t i = 0; i < n; ++i) (i % folds == fold ? unseen : seen).push_back(order[i]);
    const Fit fitted = fit(material, trial.way, trial.stiffness, seen, options);
    for (const std::size_t task : unseen)
      out[task] = judge(material, task, ask(material, fitted, task));
  }
  return out;
}

// Means over tasks, and what is gained on each of them against the source.
void summarise(AdaptTrial& trial, const std::vector<Judged>& own, const std::vector<Judged>& source) {
  const auto n = static_cast<double>(own.size());
  double squares = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    trial.order += own[i].order / n;
    trial.top1 += own[i].top1 / n;
    const double gain = own[i].order - source[i].order;
    trial.gain += gain / n;
    squares += gain * gain / n;
  }
  trial.doubt = std::sqrt(std::max(0.0, squares - trial.gain * trial.gain) / std::max(1.0, n - 1));
}

// The factor by which the doubt about unseen tasks is right. Labels are relative to the best labelled
// program, so all of them may be shifted.
double spread_scale_of(const std::vector<Judged>& judged) {
  std::vector<TaskClaims> tasks;
  double shift = 0, n = 0;
  for (const Judged& one : judged) {
    tasks.push_back(one.claims);
    for (const Claim& claim : one.claims) shift += claim.said - claim.measured;
    n += static_cast<double>(one.claims.size());
  }
  for (TaskClaims& claims : tasks)
    for (Claim& claim : claims) claim.measured += shift / n;
  return fit_spread_scale(tasks);
}

void set_option(ModelHeader& header, const std::string& name, double value) {
  std::erase_if(header.options, [&](const auto& option) { return option.first == name; });
  std::string text;
  append_json_number(text, value);
  header.options.emplace_back(name, text);
}

std::vector<AdaptTrial> trials_of(const AdaptOptions& options) {
  std::vector<AdaptTrial> trials;
  for (const Adaption way : options.ways) {
    if (way == Adaption::Trees) {
      trials.push_back({.way = way});
    } else if (way == Adaption::Both) {
      trials.push_back({.way = way, .stiffness = kUsualStiffness});
    } else if (way != Adaption::Frozen) {
      for (const double stiffness : kStiffness) trials.push_back({.way = way, .stiffness = stiffness});
    }
  }
  return trials;
}

void write_fit(const AdaptMaterial& material, const Fit& fitted, ScorerFile& file) {
  std::vector<NamedTensor> tensors = parse_tensors(file.weights);
  for (std::size_t m = 0; m < fitted.heads.size(); ++m) {
    const std::string name = "member" + std::to_string(m) + ".heads";
    for (NamedTensor& tensor : tensors) {
      // Of two outputs the first is the latency.
      if (tensor.name == name + ".bias") tensor.values[0] = static_cast<float>(fitted.heads[m].bias);
      if (tensor.name != name + ".weight") continue;
      std::ranges::transform(fitted.heads[m].weight, tensor.values.begin(),
                             [](double value) { return static_cast<float>(value); });
    }
  }
  if (fitted.more_trees) {
    Forest all = material.forest ? *material.forest : *fitted.more_trees;
    if (material.forest) append(all, *fitted.more_trees);
    std::erase_if(tensors, [](const NamedTensor& tensor) { return tensor.name.starts_with("trees."); });
    std::ranges::move(print_forest(all), std::back_inserter(tensors));
  }
  file.weights = print_tensors(tensors);
}

// The labels were seen, whatever was made of them.
void note_labels(const Labelled& labelled, ModelHeader& header) {
  std::set<std::string> known(header.tasks.begin(), header.tasks.end());
  for (const std::string& key : labelled.keys)
    if (known.insert(key).second) header.tasks.push_back(key);
  const auto n = static_cast<double>(labelled.samples.size());
  std::erase_if(header.metrics, [](const auto& metric) { return metric.first == "adapted_labels"; });
  header.metrics.emplace_back("adapted_labels", n);
}

}  // namespace

const char* name_of(Adaption adaption) { return kNames[static_cast<std::size_t>(adaption)]; }

AdaptResult adapt(const ScorerFile& source, const CompileDense& compile, const Labelled& labelled,
                  const AdaptOptions& options) {
  if (source.header.kind != "hone")
    throw UserError("a scorer of kind '" + source.header.kind + "' is not adapted to labels",
                    "take one of kind hone, or train on the labels with `hone train`");
  AdaptResult out{source, {}, {}};
  note_labels(labelled, out.file.header);
  const AdaptMaterial material = adapt_material(source, compile, labelled);
  constexpr std::size_t kFewestTasks = 4;  // with fewer, tasks left out say nothing
  if (material.tasks.size() < kFewestTasks) return out;
  AdaptTrial frozen;
  const std::vector<Judged> of_source = cross_validate(material, frozen, options);
  summarise(frozen, of_source, of_source);
  out.trials = {frozen};
  out.chosen = frozen;
  std::vector<Judged> of_chosen = of_source;
  for (AdaptTrial& trial : trials_of(options)) {
    std::vector<Judged> judged = cross_validate(material, trial, options);
    summarise(trial, judged, of_source);
    out.trials.push_back(trial);
    if (trial.gain <= trial.doubt || trial.order <= out.chosen.order) continue;
    out.chosen = trial;
    of_chosen = std::move(judged);
  }
  set_option(out.file.header, "spread_scale", spread_scale_of(of_chosen));
  if (out.is_source()) return out;
  TaskNumbers all(material.tasks.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  write_fit(material, fit(material, out.chosen.way, out.chosen.stiffness, all, options), out.file);
  return out;
}

}  // namespace hone::score
