#include "cli/tune_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/duration.h"
#include "cli/exit_code.h"
#include "cli/tune_text.h"
#include "space/sketch.h"
#include "tune/make_proposer.h"

namespace hone::cli {
namespace {

struct Plan {
  std::size_t sketches, families;
  measure::Measurement untuned;
  double trials, seconds;  // that the run would take in all
};

Plan plan_of(const tune::Options& run, const tune::Parts& parts) {
  Plan plan{};
  plan.sketches = space::sketches(parts.task, space::hardware_of(parts.target)).size();
  plan.families = tune::make_space(parts.task, parts.target, run.space).n_families();
  const double start = now_s();
  plan.untuned = parts.meter->again(*parts.baseline);
  const double trial_s = now_s() - start;
  plan.trials = run.trials >= 0 ? run.trials : std::floor(run.budget_s / trial_s);
  plan.seconds = std::min(plan.trials * trial_s, run.budget_s);
  return plan;
}

std::string plural(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void print_text(const Tune& options, const tune::Parts& parts, const Plan& plan) {
  const bool is_ok = plan.untuned.status == measure::Status::Ok;
  fmt::print("task      {}\n", parts.task->name);
  fmt::print("target    {}\n", tune::machine_name(parts.target));
  fmt::print("run       {}\n", options.run.folder);
  fmt::print("space     {}: {}, {}\n",
             tune::kSpaceNames.at(static_cast<std::size_t>(options.run.space)),
             plural(plan.sketches, "sketch", "sketches"), plural(plan.families, "family", "families"));
  fmt::print("untuned   {}\n", is_ok ? print_time(plan.untuned.best_s()) : plan.untuned.message);
  fmt::print("estimate  {}{} in {}\n", options.run.trials >= 0 ? "" : "about ",
             print_trials(static_cast<int>(plan.trials)), print_clock(plan.seconds));
}

void print_json(const Tune& options, const tune::Parts& parts, const Plan& plan) {
  nlohmann::ordered_json report = {
      {"schema", "hone.plan/1"},
      {"task", parts.task->name},
      {"target", tune::machine_name(parts.target)},
      {"run", options.run.folder},
      {"space", tune::kSpaceNames.at(static_cast<std::size_t>(options.run.space))},
      {"sketches", plan.sketches},
      {"families", plan.families},
      {"trials", plan.trials},
      {"seconds", plan.seconds}};
  if (plan.untuned.status == measure::Status::Ok) report["untuned_s"] = plan.untuned.best_s();
  fmt::print("{}\n", report.dump());
}

}  // namespace

int say_plan(const Tune& options, const tune::Parts& parts) {
  const Plan plan = plan_of(options.run, parts);
  options.json ? print_json(options, parts, plan) : print_text(options, parts, plan);
  return kDone;
}

}  // namespace hone::cli
