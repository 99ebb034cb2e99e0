// Ties space, features, model, search and machine together as the options ask.
#include "tune/parts.h"

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "codegen/compile.h"
#include "feature/cpu_rows.h"
#include "measure/expectation.h"
#include "measure/reference.h"
#include "schedule/original_ops.h"
#include "score/adapted.h"
#include "score/drafted.h"
#include "score/frozen.h"
#include "score/guarded.h"
#include "score/informed.h"
#include "score/make_model.h"
#include "score/refitted.h"
#include "space/hardware.h"
#include "space/tiling.h"
#include "task/analysis.h"
#include "task/key.h"
#include "tune/cycle_columns.h"
#include "tune/fine_tuned.h"
#include "tune/live_meter.h"
#include "tune/make_proposer.h"
#include "tune/replay_meter.h"
#include "tune/search_proposer.h"

namespace hone::tune {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

}  // namespace

Featurise featuriser(const TaskPtr& task, const target::Target& target, const score::Network* scorer) {
  const space::Hardware hardware = space::hardware_of(target);
  std::shared_ptr<const Views> views;
  if (scorer != nullptr)
    views = std::make_shared<const Views>(*scorer, task, hardware, descriptor_for(*scorer, target));
  return [task, target, hardware, views](const schedule::Steps& steps) {
    try {
      const auto program = std::make_shared<const feature::Replayed>(task, steps, hardware);
      feature::Rows rows = feature::cpu_rows(*program, target);
      const std::vector<int> ops = schedule::original_ops(program->state());
      for (int& stage : rows.stages) stage = ops[static_cast<std::size_t>(stage)];
      score::Sample sample{std::move(rows.values), std::move(rows.stages)};
      if (views != nullptr)
        sample.later =
            std::make_shared<score::LaterViews>([program, views] { return views->of(*program); });
      return sample;
    } catch (const UserError&) {
      return score::Sample{};  // cannot be built either
    }
  };
}

target::Target recorded_target(const record::Record& record) {
  try {
    return target::parse(record.target);
  } catch (const UserError&) {
    target::Target target = target::host();
    target.cpu.clear();  // whose core it was nobody knows
    if (record.hardware.size() == record::kHardwareNumbers && record.hardware[0] > 0)
      target.cores = static_cast<int>(record.hardware[0]);
    return target;
  }
}

namespace {

// Boosted trees start from analysis: before there are trials there is nothing else to go by. A trained
// scorer takes its place as long as it does better.
std::unique_ptr<score::Model> model_of(const Options& options, const score::ModelOptions& models,
                                       target::Target target,
                                       const std::shared_ptr<const score::Network>& scorer) {
  if (scorer == nullptr) {
    const bool is_trees = options.scorer == ScorerKind::Gbdt;
    const std::string_view name = kScorerNames.at(static_cast<std::size_t>(options.scorer));
    return score::make_model(is_trees ? "informed" : name, models);
  }
  const score::Cut cut{.share = options.scorer_share, .threads = options.jobs};
  if (options.scorer_use == ScorerUse::Frozen)
    return std::make_unique<score::Frozen>(
        std::make_shared<score::Drafted>(scorer, score::make_model("analytic", models), cut));
  std::unique_ptr<score::Model> learned;
  if (options.scorer_use == ScorerUse::Tuned) {
    learned = std::make_unique<score::Refitted>(scorer);
  } else if (options.scorer_use == ScorerUse::Adapter) {
    learned = std::make_unique<score::Adapted>(scorer, options.seed);
  } else if (options.scorer_use == ScorerUse::Full) {
    target.cores = options.jobs;
    learned = std::make_unique<FineTuned>(options.scorer_file, options.train_program, target, scorer);
  } else {
    learned = std::make_unique<score::Informed>(scorer, models.trees);
  }
  return std::make_unique<score::Guarded>(std::move(learned), score::make_model("informed", models),
                                          cut);
}

MakeSearch named_search(SearchKind kind) {
  return [name = kSearchNames.at(static_cast<std::size_t>(kind))](const Candidates& candidates,
                                                                  const search::Options& options) {
    return search::make_search(name, candidates, options);
  };
}

// For rounds that are as short as the search itself otherwise.
MakeSearch small_search(SearchKind kind) {
  return [kind](const Candidates& candidates, search::Options options) {
    options.population /= 2;
    options.early_factor = 1;
    options.generations -= 1;
    return named_search(kind)(candidates, options);
  };
}

}  // namespace

// Answers are compared with those of a kernel that a few elements, computed by the definition, vouch
// for: the task without any schedule, or where that takes too long what hone emits untuned.
std::unique_ptr<Meter> live_meter(const TaskPtr& task, const target::Target& target,
                                  const measure::Options& options, const Conditions& conditions) {
  const measure::ExpectationOptions few{.whole_terms = 1e5, .samples = 48};
  measure::TaskData data =
      measure::expectations(*task, conditions.is_one_of_many ? few : measure::ExpectationOptions{});
  const double most_flop = conditions.is_one_of_many ? 5e7 : 2e9;
  if (!data.is_sampled_whole)
    data.reference =
        task::flop_count(*task) <= most_flop
            ? measure::reference_kernel(task, target)
            : codegen::compile(task, space::analytic_steps(*task, target, target.cores), target);
  const auto compile = [task, target](const schedule::Steps& steps) {
    return codegen::compile(task, steps, target);
  };
  return std::make_unique<LiveMeter>(std::move(data), compile, options);
}

space::Space make_space(const TaskPtr& task, const target::Target& target, SpaceKind kind) {
  const space::Hardware hardware = space::hardware_of(target);
  const std::vector<space::Sketch> sketches = space::sketches(task, hardware);
  return kind == SpaceKind::Ansor ? space::ansor_space(task, sketches, hardware)
                                  : space::hone_space(task, sketches, target);
}

std::unique_ptr<Proposer> make_proposer(const TaskPtr& task, const target::Target& target,
                                        std::unique_ptr<const Candidates> candidates,
                                        const Options& options, const MakeSearch& make_search,
                                        const std::shared_ptr<const score::Network>& scorer) {
  score::ModelOptions models;
  models.seed = options.seed;
  models.trees.seed = options.seed;
  models.trees.threads = options.jobs;
  models.cycles = cycle_columns();
  search::Options searching;
  searching.seed = options.seed;
  auto search = (make_search ? make_search : named_search(options.search))(*candidates, searching);
  return std::make_unique<SearchProposer>(std::move(candidates), std::move(search),
                                          featuriser(task, target, scorer.get()),
                                          model_of(options, models, target, scorer), options.jobs);
}

std::shared_ptr<const score::Network> scorer_of(const Options& options, target::Target target) {
  if (options.scorer_file.empty()) return nullptr;
  target.cores = options.jobs;
  return load_scorer(options.scorer_file, target, options.scorer_cache,
                     needs_hidden(options.scorer_use));
}

Parts make_parts(std::shared_ptr<const task::Task> task, const Options& options,
                 const Conditions& conditions) {
  Parts parts;
  parts.task = task;
  const auto propose = [&](std::unique_ptr<const Candidates> candidates,
                           const MakeSearch& make_search = {}) {
    std::shared_ptr<const score::Network> scorer = conditions.scorer;
    if (scorer == nullptr) scorer = scorer_of(options, parts.target);
    return make_proposer(task, parts.target, std::move(candidates), options, make_search, scorer);
  };
  if (options.replay.empty()) {
    parts.target = target::host();
    parts.target.cores = options.threads;
    parts.proposer =
        propose(std::make_unique<SpaceCandidates>(make_space(task, parts.target, options.space)),
                conditions.is_one_of_many ? small_search(options.search) : MakeSearch());
    measure::Options measuring;
    measuring.threads = options.threads;
    measuring.timing.cold_constants = conditions.cold_constants;
    parts.meter = live_meter(task, parts.target, measuring, conditions);
  } else {
    auto meter = std::make_unique<ReplayMeter>(options.replay, task::tvm_key(*task));
    parts.target = recorded_target(meter->first());
    parts.proposer = propose(std::make_unique<RecordedCandidates>(
        meter->recorded(), make_space(task, parts.target, options.space)));
    parts.meter = std::move(meter);
  }
  parts.baseline = space::analytic_steps(*task, parts.target, parts.target.cores);
  return parts;
}

}  // namespace hone::tune
