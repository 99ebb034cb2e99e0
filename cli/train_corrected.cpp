#include "cli/train_corrected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "cli/exit_code.h"
#include "cli/grow_trees.h"
#include "cli/set_samples.h"
#include "cli/set_scorer.h"
#include "cli/train_material.h"
#include "cli/validation.h"
#include "feature/code_row.h"
#include "score/corrected.h"

namespace hone::cli {
namespace {

using train::Program;

train::Options defaults() {
  return {{"trees", "200", "how many"},
          {"tree_depth", "6", "of a tree at most"},
          {"tree_rate", "0.08", "how much of the error that is left a tree takes away"},
          {"favour", "1", "a program counts as much as this power of its speed, the fastest 1"},
          {"trust", "0.5", "how much of what the trees say is believed"},
          {"slowest", "3", "programs whose log of latency / best is more count as if it was this"},
          {"label", "min", "which of the repeats is a program's time: mean or min"},
          {"validation", "0.1", "share of the tasks that is held out to judge; 0: none"},
          {"seed", "0", "of the trees and of the choice of these tasks"}};
}

// Of one task: the programs that work and that the analysis knows, and what is to be learned of them.
class Lesson {
 public:
  Lesson(const train::DataSet& set, const train::Options& options)
      : set_(set),
        views_(set.parts.front().file, score::corrected_views()),
        favour_(options.number("favour")),
        slowest_(options.number("slowest")),
        lesson_{.table = {.values = {}, .columns = views_.columns()}, .labels = {}} {}

  // How far off the analysis is as a whole is no matter: scores compare programs of one task. So labels
  // are what is left beside the mean, and all tasks weigh the same, however many programs they have.
  void add(const train::Task& task) {
    std::vector<double> wrong_by, weights;
    double sum = 0, weight = 0;
    std::vector<float> row;
    for (const Program program : task.programs) {
      if (set_.works[program] == 0 || !views_.has(program)) continue;
      row.clear();
      views_.append_row(program, row);
      const double log_cycles = std::log(2.0) * row[feature::code_row_cycles()];
      if (log_cycles <= 0) continue;  // of a GPU
      const double log_speed = std::max(-slowest_, std::log(double{set_.speed[program]}));
      lesson_.table.values.insert(lesson_.table.values.end(), row.begin(), row.end());
      wrong_by.push_back(log_speed + log_cycles);
      weights.push_back(std::exp(favour_ * log_speed));
      sum += weights.back() * wrong_by.back();
      weight += weights.back();
    }
    constexpr double kTask = 60;  // as if it had so many programs
    for (std::size_t i = 0; i < weights.size(); ++i) {
      lesson_.labels.push_back(static_cast<float>(wrong_by[i] - sum / weight));
      lesson_.weights.push_back(static_cast<float>(kTask * weights[i] / weight));
    }
  }

  const TreeLesson& made() const { return lesson_; }

 private:
  const train::DataSet& set_;
  const SetViews views_;
  const double favour_, slowest_;
  TreeLesson lesson_;
};

// Searches look for programs that the trees have never seen the like of, and find those that they
// praise by mistake: the analysis is to have a say.
score::Forest trusted(score::Forest forest, double trust) {
  for (float& leaf : forest.leaves) leaf *= static_cast<float>(trust);
  return forest;
}

score::ScorerFile scorer_of(const train::Material& material, const train::Options& settings,
                            const score::Forest& grown) {
  const score::Forest forest = trusted(grown, settings.number("trust"));
  score::ScorerFile file{header_of(material, kCorrectedKind, score::corrected_views()),
                         score::print_tensors(score::print_forest(forest))};
  for (const train::Option& option : settings.all())
    file.header.options.emplace_back(option.name, option.value);
  file.header.options.emplace_back("cycles_column", std::to_string(feature::code_row_cycles()));
  return file;
}

}  // namespace

std::string corrected_options_text() { return options_text(defaults()); }

int train_corrected(const Train& options) {
  const double start_s = now_s();
  train::Options settings = defaults();
  settings.set_all(options.settings);
  const train::Material material = load_material(options, settings);
  Lesson lesson(material.set, settings);
  for (const std::uint32_t task : material.split.training) lesson.add(material.set.tasks[task]);
  TrainDisplay display(options.json);
  const Growth growth = grow_trees(lesson.made(), forest_options(settings, options.threads), display);
  if (!growth.forest) return kStopped;
  score::ScorerFile file = scorer_of(material, settings, *growth.forest);
  const SetScorer scored(file, material.set.parts.front().file, options.threads);
  const Quality quality =
      validate(material.set, material.split.validation,
               [&](const std::vector<Program>& programs) { return scored.scores(programs); });
  file.header.metrics = {{"programs", static_cast<double>(lesson.made().labels.size())},
                         {"trees", static_cast<double>(growth.forest->n_trees())}};
  if (!material.split.validation.empty()) {
    file.header.metrics.emplace_back("validation_top1", quality.top1);
    file.header.metrics.emplace_back("validation_top5", quality.top5);
  }
  write_grown(std::move(file), growth, quality, start_s, options.output, display);
  return kDone;
}

}  // namespace hone::cli
