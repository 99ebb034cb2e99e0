// How good the search is after how many trials, beside random search, in both spaces.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "benchmarks/ansor_ops.h"
#include "benchmarks/report.h"
#include "benchmarks/search_figure.h"
#include "benchmarks/search_report.h"
#include "benchmarks/tuning.h"
#include "score/scorer_file.h"
#include "task/catalogue.h"
#include "task/key.h"

namespace hone::bench {
namespace {

struct Options {
  std::string suite = "ansor_ops", json, svg, space = "both", scorer;
  std::vector<std::string> cases;
  bool quick = false;
  int seeds = 0, trials = 0;  // 0: as the suite says
  int threads = 1;
};

struct Plan {
  int seeds, trials, random_trials;
};

Plan plan_of(const Case& one, const Options& options) {
  Plan plan = options.quick ? Plan{1, 300, 300} : one.is_main ? Plan{3, 1000, 1000} : Plan{1, 200, 0};
  if (!options.scorer.empty()) plan = {plan.seeds, 256, 0};
  if (options.seeds > 0) plan.seeds = options.seeds;
  if (options.trials > 0) {
    plan.trials = options.trials;
    plan.random_trials = std::min(plan.random_trials, options.trials);
  }
  return plan;
}

// The space of a run, as the tuner names it; both unless one is asked for.
std::vector<tune::SpaceKind> spaces_of(const Options& options) {
  if (options.space == "both") return {tune::SpaceKind::Hone, tune::SpaceKind::Ansor};
  return {options.space == "hone" ? tune::SpaceKind::Hone : tune::SpaceKind::Ansor};
}

std::string name_of(tune::SpaceKind kind) {
  return std::string(tune::kSpaceNames.at(static_cast<std::size_t>(kind)));
}

// A way to search: in a space, guided by a trained scorer or by trees that begin from nothing.
struct Way {
  tune::SpaceKind space;
  bool is_scored;

  std::string name() const { return name_of(space) + (is_scored ? kScored : ""); }
};

std::vector<Way> ways_of(const Options& options) {
  std::vector<Way> ways;
  for (const tune::SpaceKind space : spaces_of(options)) {
    ways.push_back({space, false});
    if (!options.scorer.empty()) ways.push_back({space, true});
  }
  return ways;
}

// Guiding is judged on what a scorer has never seen.
void refuse_seen(const std::string& scorer, const std::vector<Case>& cases) {
  const score::ScorerFile file = score::parse_scorer(read_maybe_gzip(scorer), scorer);
  const std::set<std::string> seen(file.header.tasks.begin(), file.header.tasks.end());
  std::string known;
  for (const Case& one : cases)
    if (seen.contains(task::tvm_key(task::from_op(one.op)))) known += " " + one.name;
  if (!known.empty())
    throw UserError(fmt::format("{} was trained on{}", scorer, known),
                    "train it without the tasks that it is judged on, or name the others by --cases");
}

// A case's searches one after the other, then all that matters of them measured again in turn.
class Searcher {
 public:
  Searcher(const Case& one, const Options& options)
      : case_(one),
        options_(options),
        plan_(plan_of(one, options)),
        task_(std::make_shared<const task::Task>(task::from_op(one.op))) {}

  CaseResult search() {
    CaseResult result{.name = case_.name, .op = case_.op, .variants = {}};
    for (const Way& way : ways_of(options_)) {
      Variant variant{.name = way.name(), .runs = {}, .random = {}};
      for (int seed = 1; seed <= plan_.seeds; ++seed)
        variant.runs.push_back(run(way, tune::SearchKind::Evolution, seed, plan_.trials));
      if (plan_.random_trials > 0)
        variant.random = run(way, tune::SearchKind::Random, 1, plan_.random_trials);
      result.variants.push_back(std::move(variant));
    }
    const tune::Parts parts = tune::make_parts(task_, tuner_options(spaces_of(options_).front()));
    std::vector<BestSoFar> curves = best_so_far(trials_, *parts.meter);
    auto next = curves.begin();
    for (Variant& variant : result.variants) {
      for (RunResult& one : variant.runs) one.curve = *next++;
      if (variant.random) variant.random->curve = *next++;
      variant.best_known_us = variant.best_us();
    }
    return result;
  }

 private:
  tune::Options tuner_options(tune::SpaceKind space) const {
    tune::Options options;
    options.op = case_.op;
    options.space = space;
    options.threads = options_.threads;
    return options;
  }

  RunResult run(const Way& way, tune::SearchKind search, int seed, int trials) {
    tune::Options options = tuner_options(way.space);
    options.search = search;
    if (way.is_scored) options.scorer_file = options_.scorer;
    if (search == tune::SearchKind::Random) options.scorer = tune::ScorerKind::Random;  // costs nothing
    options.seed = static_cast<std::uint64_t>(seed);
    options.trials = trials;
    fmt::print(stderr, "\r{:<14} {:<12} {:<9} seed {} ...  ", case_.name, way.name(),
               search == tune::SearchKind::Random ? "random" : "evolution", seed);
    tune::Parts parts = tune::make_parts(task_, options);
    // What hone emits untuned is no candidate of Ansor's; there only the space's own count.
    if (way.space == tune::SpaceKind::Ansor) parts.baseline.reset();
    tune::Summary summary = tune_once(std::move(parts), options);
    RunResult result = run_result(summary);
    trials_.push_back(std::move(summary.trials));
    return result;
  }

  const Case case_;
  const Options options_;
  const Plan plan_;
  const std::shared_ptr<const task::Task> task_;
  std::vector<std::vector<tune::Trial>> trials_;  // of each run
};

bool answers(const CaseResult& result, const Case& one, const Options& options) {
  const Plan plan = plan_of(one, options);
  if (result.name != one.name || result.op != one.op) return false;
  return std::ranges::all_of(ways_of(options), [&](const Way& way) {
    return std::ranges::any_of(result.variants, [&](const Variant& variant) {
      return variant.name == way.name() && std::ssize(variant.runs) == plan.seeds &&
             variant.runs.front().trials == plan.trials &&
             variant.random.has_value() == (plan.random_trials > 0);
    });
  });
}

std::vector<Case> chosen_cases(const Options& options) {
  if (options.suite != "ansor_ops") {
    throw UserError(fmt::format("there is no suite '{}'", options.suite), "the suite is ansor_ops");
  }
  std::vector<Case> cases = ansor_ops();
  std::erase_if(cases, [&](const Case& one) {
    const bool is_asked =
        options.cases.empty() || std::ranges::any_of(options.cases, [&](const std::string& name) {
          return name == "main" ? one.is_main : one.name == name || one.name.starts_with(name + ".");
        });
    return !is_asked || (options.quick && !one.is_quick);
  });
  if (cases.empty())
    throw UserError("no case has such a name", "names look like C2D, C2D.2, C2D.2.b16, main");
  return cases;
}

int run(const Options& options) {
  const std::vector<Case> cases = chosen_cases(options);
  if (!options.scorer.empty()) refuse_seen(options.scorer, cases);
  SearchReport report(options.json);
  report.print_head();
  for (const Case& one : cases) {
    const CaseResult* known = report.find(one.name);
    if (known != nullptr && answers(*known, one, options)) {
      fmt::print("{:<14} is in {} already\n", one.name, options.json);
      continue;
    }
    report.add(Searcher(one, options).search());
  }
  report.print_marks();
  if (!options.svg.empty()) write_whole(options.svg, search_figure(report.results()));
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app{"How near the search comes to the best known, after how many trials"};
  app.add_option("--suite", options.suite, "ansor_ops");
  app.add_flag("--quick", options.quick, "four operators, 300 trials, one seed");
  app.add_option("--cases", options.cases, "only these: C2D, C2D.2, C2D.2.b16, main");
  app.add_option("--space", options.space, "hone, ansor or both")
      ->check(CLI::IsMember({"hone", "ansor", "both"}));
  app.add_option("--seeds", options.seeds, "runs of the default search")->check(CLI::Range(1, 1000));
  app.add_option("--trials", options.trials, "a run")->check(CLI::Range(1, 1000000));
  app.add_option("--threads", options.threads, "that a kernel runs on")->check(CLI::Range(1, 1024));
  app.add_option(
      "--scorer", options.scorer,
      "also search guided by this trained scorer, 256 trials a run: how soon it stands where "
      "trees alone end");
  app.add_option("--json", options.json,
                 "results; cases that the file holds already are not run again");
  app.add_option("--svg", options.svg, "a picture of the cases where random search was run too");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::run(options); });
}
