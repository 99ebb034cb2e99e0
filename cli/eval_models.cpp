#include "cli/eval_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/affinity.h"
#include "base/error.h"
#include "base/gzip.h"
#include "base/parallel.h"
#include "cli/dataset_hardware.h"
#include "feature/section_rows.h"
#include "score/coverage.h"
#include "score/join_rows.h"
#include "score/model_file.h"
#include "target/detect.h"
#include "tune/cycle_columns.h"
#include "tune/learned_scorer.h"
#include "tune/make_proposer.h"
#include "tune/onnx_scorer.h"

namespace hone::cli {
namespace {

using score::JudgedTask;
using score::Sample;
using TaskPtr = std::shared_ptr<const task::Task>;

int all_threads() { return static_cast<int>(allowed_cpus().size()); }

// The first part of a program's steps.
schedule::Steps cut(schedule::Steps steps, double completion) {
  steps.resize(static_cast<std::size_t>(std::lround(completion * static_cast<double>(steps.size()))));
  return steps;
}

// A model and what it reads. A program of which that cannot be made scores lowest, and so do all those
// of a task whose computation the set does not have.
class ModelSource : public ScoreSource {
 public:
  explicit ModelSource(std::shared_ptr<const score::Predictor> model) : model_(std::move(model)) {}

  Scores scores(const EvalSet& set, double completion) const override {
    const std::size_t n_programs = set.data.n_programs();
    Scores all{std::vector<double>(n_programs, -std::numeric_limits<double>::infinity()),
               std::vector<double>(n_programs, NAN), std::vector<double>(n_programs)};
    bool tells_doubt = false;
    for (const JudgedTask& task : set.judged.tasks) {
      const TaskPtr computation = set.data.computation(task.number);
      if (computation == nullptr) continue;  // its programs are all alike
      const std::vector<std::optional<Sample>> samples =
          samples_of(set.data, computation, task, completion);
      std::vector<Sample> made;
      std::vector<std::uint32_t> programs;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!samples[i]) continue;
        made.push_back(*samples[i]);
        programs.push_back(task.programs[i]);
      }
      const std::vector<score::Prediction> predictions = model_->predict(made);
      for (std::size_t i = 0; i < made.size(); ++i) {
        const score::Claim claim = score::claim_of(predictions[i], 0);
        all.score[programs[i]] = predictions[i].score * predictions[i].valid;
        all.log_latency[programs[i]] = claim.said;
        all.spread[programs[i]] = claim.spread;
        tells_doubt = tells_doubt || predictions[i].spread > 0;
      }
    }
    if (!tells_doubt) all.log_latency = all.spread = {};
    return all;
  }

 private:
  virtual std::vector<std::optional<Sample>> samples_of(const record::Dataset& set,
                                                        const TaskPtr& computation,
                                                        const JudgedTask& task,
                                                        double completion) const = 0;

  std::shared_ptr<const score::Predictor> model_;
};

// The rows that hone's own searches go by.
class StatementSource final : public ModelSource {
  using ModelSource::ModelSource;

  std::vector<std::optional<Sample>> samples_of(const record::Dataset& set, const TaskPtr& computation,
                                                const JudgedTask& task,
                                                double completion) const override {
    const tune::Featurise featurise = tune::featuriser(
        computation, tune::recorded_target(set.record(task.programs.front())), nullptr);
    std::vector<std::optional<Sample>> samples(task.programs.size());
    parallel_for(samples.size(), all_threads(), [&](std::size_t i) {
      Sample sample = featurise(cut(set.steps(task.programs[i]), completion));
      if (sample.n_rows() > 0) samples[i] = std::move(sample);
    });
    return samples;
  }
};

// The sections that trained models read, made anew from the steps.
class SectionSource final : public ModelSource {
 public:
  SectionSource(std::shared_ptr<const score::Predictor> model, std::vector<std::string> sections,
                bool joins)
      : ModelSource(std::move(model)), sections_(std::move(sections)), joins_(joins) {}

 private:
  std::vector<std::optional<Sample>> samples_of(const record::Dataset& set, const TaskPtr& computation,
                                                const JudgedTask& task,
                                                double completion) const override {
    const std::vector<std::uint32_t> first(task.programs.size());
    const std::vector<std::int64_t> numbers = set.record(task.programs.front()).hardware;
    const feature::SectionInput input{
        .tasks = {{computation, numbers.empty() ? space::Hardware() : space::hardware_from(numbers),
                   descriptor_of(set, task.number)}},
        .task_of = first,
        .steps_of = [&](std::size_t i) { return cut(set.steps(task.programs[i]), completion); }};
    std::vector<feature::SectionRows> makers;
    for (const std::string& name : sections_) makers.push_back(feature::section_rows(name, input));
    std::vector<std::optional<Sample>> samples(task.programs.size());
    parallel_for(samples.size(), all_threads(), [&](std::size_t i) { samples[i] = sample(makers, i); });
    return samples;
  }

  std::optional<Sample> sample(const std::vector<feature::SectionRows>& makers,
                               std::size_t program) const {
    Sample out;
    for (std::size_t i = 0; i < makers.size(); ++i) {
      feature::Made made = makers[i].make(makers[i].is_of_tasks ? 0 : program);
      if (made.refusal) return std::nullopt;
      out.views.push_back(
          {sections_[i], static_cast<std::size_t>(makers[i].width), std::move(made.values)});
    }
    if (joins_) score::join_rows(out);
    return out;
  }

  std::vector<std::string> sections_;
  bool joins_;  // trees read one table
};

bool is_network(const std::string& kind) {
  return std::ranges::find(score::network_kinds(), kind) != score::network_kinds().end();
}

std::unique_ptr<ScoreSource> network_source(const std::string& file) {
  target::Target target = target::host();
  target.cores = all_threads();
  const auto network = tune::load_scorer(file, target, "");
  return std::make_unique<SectionSource>(network, network->views(), false);
}

}  // namespace

std::unique_ptr<ScoreSource> analytic_source() {
  score::ModelOptions options;
  options.cycles = tune::cycle_columns();
  return std::make_unique<StatementSource>(score::make_model("analytic", options));
}

TrainedSource trained_source(const std::string& file) {
  if (tune::is_onnx(file)) return {{}, network_source(file)};
  const score::ModelHeader header = score::parse_scorer(read_maybe_gzip(file), file).header;
  if (is_network(header.kind)) return {header.tasks, network_source(file)};
  const std::vector<std::string> sections = {"statements", "embedding"};
  score::LoadedModel loaded =
      score::load_model(file, tune::feature_versions(sections), score::ModelOptions());
  return {header.tasks, std::make_unique<SectionSource>(std::move(loaded.model), sections, true)};
}

}  // namespace hone::cli
