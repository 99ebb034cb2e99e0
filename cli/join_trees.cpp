#include "cli/join_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/exit_code.h"
#include "cli/grow_trees.h"
#include "cli/set_scorer.h"
#include "cli/train_display.h"
#include "cli/trained_networks.h"
#include "cli/validation.h"
#include "score/calibrate.h"
#include "score/coverage.h"
#include "score/hone_network.h"
#include "train/tree_options.h"

namespace hone::cli {
namespace {

using train::Program;

// Slower programs are all alike: none of them is ever picked.
constexpr double kMostLogLatency = 6;

double log_latency(const train::DataSet& set, Program program) {
  return std::min(kMostLogLatency, -std::log(double{set.speed[program]}));
}

// Programs that work and have all views.
std::vector<Program> learnable(const train::DataSet& set, const train::TaskIds& tasks,
                               const SetViews& views) {
  std::vector<Program> programs;
  for (const std::uint32_t task : tasks)
    std::ranges::copy_if(set.tasks[task].programs, std::back_inserter(programs),
                         [&](Program i) { return set.works[i] != 0 && views.has(i); });
  return programs;
}

// By programs that the networks have not learned from, if there are any.
score::Calibration calibration_of(const TrainedNetworks& networks, int threads) {
  score::ScorerFile bold = networks.file;
  for (auto& [name, value] : bold.header.options)
    if (name == "caution") value = std::string("0");  // then scores say nothing but the latency
  const train::Split& split = networks.material.split;
  const SetScorer scored(bold, networks.material.set.parts.front().file, threads);
  const std::vector<Program> programs =
      learnable(networks.material.set, split.validation.empty() ? split.training : split.validation,
                scored.views());
  std::vector<double> said, measured;
  for (const score::Prediction& prediction : scored.predict(programs))
    said.push_back(-std::log(prediction.score));
  for (const Program program : programs)
    measured.push_back(log_latency(networks.material.set, program));
  return score::fit_calibration(said, measured);
}

// The factor by which the doubt of the scorer is right about tasks that it has not learned from.
double spread_scale_of(const TrainedNetworks& networks, const SetScorer& scored) {
  std::vector<score::TaskClaims> tasks;
  for (const std::uint32_t task : networks.material.split.validation) {
    const std::vector<Program> programs = learnable(networks.material.set, {task}, scored.views());
    const std::vector<score::Prediction> said = scored.predict(programs);
    tasks.emplace_back();
    for (std::size_t i = 0; i < programs.size(); ++i)
      tasks.back().push_back(score::claim_of(said[i], log_latency(networks.material.set, programs[i])));
  }
  return score::fit_spread_scale(tasks);
}

TreeLesson lesson_of(const TrainedNetworks& networks) {
  const SetViews views(networks.material.set.parts.front().file,
                       score::tree_views(score::feature_names(networks.file.header)));
  TreeLesson lesson{.table = {.values = {}, .columns = views.columns()}, .labels = {}};
  for (const Program program :
       learnable(networks.material.set, networks.material.split.training, views)) {
    views.append_row(program, lesson.table.values);
    lesson.labels.push_back(static_cast<float>(log_latency(networks.material.set, program)));
  }
  return lesson;
}

// The networks in the unit of the trees, then the trees.
std::string joined_weights(const TrainedNetworks& networks, const score::Calibration& calibration,
                           const score::Forest& forest) {
  std::vector<score::NamedTensor> tensors = score::parse_tensors(networks.file.weights);
  apply(calibration, tensors);
  std::ranges::move(score::print_forest(forest), std::back_inserter(tensors));
  return score::print_tensors(tensors);
}

void set_header_options(score::ModelHeader& header, const train::Options& options) {
  header.options.clear();
  for (const train::Option& option : options.all())
    header.options.emplace_back(option.name, option.value);
}

// Of networks that were trained elsewhere the part that is still to be done can be set.
void set_trees(train::Options& options, const std::vector<std::string>& settings) {
  train::Options of_trees = train::tree_options();
  of_trees.set_all(settings);
  options.set_all(settings);
}

}  // namespace

int join_trees(const Train& options, const std::string& path) {
  const double start_s = now_s();
  TrainedNetworks networks = load_networks(path, options);
  if (!options.networks.empty()) set_trees(networks.options, options.settings);
  if (networks.options.whole("trees") == 0) {
    write_whole(options.output, score::print_scorer(networks.file));
    return kDone;
  }
  TrainDisplay display(options.json);
  const TreeLesson lesson = lesson_of(networks);
  const Growth growth = grow_trees(lesson, forest_options(networks.options, options.threads), display);
  if (!growth.forest) return kStopped;
  score::ScorerFile joined{networks.file.header, {}};
  joined.weights = joined_weights(networks, calibration_of(networks, options.threads), *growth.forest);
  set_header_options(joined.header, networks.options);
  const SetScorer scored(joined, networks.material.set.parts.front().file, options.threads);
  networks.options.set("spread_scale", fmt::format("{:.4g}", spread_scale_of(networks, scored)));
  set_header_options(joined.header, networks.options);
  const Quality quality =
      validate(networks.material.set, networks.material.split.validation,
               [&](const std::vector<Program>& programs) { return scored.scores(programs); });
  const auto n_trees = static_cast<double>(growth.forest->n_trees());
  std::ranges::move(
      std::vector<std::pair<std::string, double>>{
          {"trees", n_trees},
          {"tree_programs", static_cast<double>(lesson.labels.size())},
          {"joined_top1", quality.top1},
          {"joined_top5", quality.top5}},
      std::back_inserter(joined.header.metrics));
  write_grown(std::move(joined), growth, quality, start_s, options.output, display);
  return kDone;
}

}  // namespace hone::cli
