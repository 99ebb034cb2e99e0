#include "cli/tune_network.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/duration.h"
#include "base/error.h"
#include "cli/exit_code.h"
#include "cli/inspect_tasks.h"
#include "cli/interrupt.h"
#include "cli/model_input.h"
#include "cli/network_display.h"
#include "cli/terminal.h"
#include "cli/tune_text.h"
#include "cli/user_store.h"
#include "graph/flops.h"
#include "graph/passes.h"
#include "tune/network_session.h"
#include "tune/tune.h"

namespace hone::cli {
namespace {

tune::Plan plan_of(const Tune& options) {
  std::vector<graph::Graph> graphs;
  for (const std::string& file : options.models) {
    const model::Model model = load_model(file);
    graphs.push_back(graph::run_passes(graph::from_model(model, import_options(options.input)),
                                       {.join_attention = !options.separate_attention}));
  }
  target::Target target = target::host();
  target.cores = options.run.threads;
  tune::Plan plan = tune::plan_networks(std::move(graphs), {.exact = options.network.exact,
                                                            .estimate = tune::estimate_for(target),
                                                            .lanes = target.lanes(32),
                                                            .tries_blocks = options.effort == "full"});
  for (const int task : options.network.only) {
    if (task >= std::ssize(plan.choices)) {
      throw UserError(fmt::format("--task: there is no task {}; the last one is {}", task,
                                  std::ssize(plan.choices) - 1),
                      "`hone inspect MODEL --tasks` lists them");
    }
  }
  return plan;
}

int say_plan(const Tune& options, const tune::Plan& plan) {
  target::Target target = target::host();
  target.cores = options.run.threads;
  for (const tune::PlannedNetwork& network : plan.networks)
    fmt::print("model     {}  ({:.3g} GFLOP)\n", network.graph.name,
               graph::flop_count(network.graph) * 1e-9);
  fmt::print("target    {}\n", tune::machine_name(target));
  print_tasks(plan);
  fmt::print("run       {}\n", options.run.folder);
  fmt::print("estimate  {}{}\n",
             std::isfinite(options.run.budget_s) ? print_clock(options.run.budget_s) : "",
             options.run.trials >= 0 ? fmt::format("{} trials at most", options.run.trials) : "");
  return kDone;
}

void print_network(const tune::TunedNetwork& network, const tune::NetworkSummary& summary) {
  const tune::Progress& all = summary.progress.all;
  fmt::print("{:<9} {}  {} -> {}   {} in {}, {}, {} failed\n", record::to_string(summary.state),
             network.name, print_time(network.untuned_s), print_time(network.tuned_s),
             print_speedup(network.untuned_s, network.tuned_s), print_clock(all.session_s),
             print_trials(all.trials), all.failed());
  fmt::print("speed     {:.1f} GFLOP/s\n", network.flop / network.tuned_s * 1e-9);
  if (network.ranked > 0)
    fmt::print(
        "ranked    {} of {} distinct operators run what {} ranks first: chosen without a trial\n",
        network.ranked, network.choices, tune::scorer_name(summary.options.run));
  fmt::print(
      "checked   {} of {} distinct operators run tuned; outputs differ from the untuned ones by "
      "{:.1e}\n",
      network.tuned, network.choices, network.error);
  if (!std::isnan(network.drift)) fmt::print("{}", print_drift(network.drift));
  fmt::print("wrote     {}  ({:.1f} MiB, {:.1f} MiB of memory when it runs)\n", network.artefact,
             static_cast<double>(network.size_bytes) / (1 << 20),
             static_cast<double>(network.memory_bytes) / (1 << 20));
}

void print_report(const Tune& options, const tune::NetworkSummary& summary) {
  for (const std::string& line : table_of(summary.progress, options.verbose ? 0 : 8))
    fmt::print("{}\n", line);
  for (const tune::TunedNetwork& network : summary.networks) print_network(network, summary);
  if (const tune::Progress& all = summary.progress.all; all.failed() > 0)
    fmt::print("failed    {}\n", print_failures(all));
  fmt::print("time      {}\n", print_split(summary.progress.all.split));
  fmt::print("run       {}  (records.jsonl  run.db  run.toml  summary.json  log.txt)\n",
             options.run.folder);
  if (summary.state == record::RunState::Stopped) {
    fmt::print("next      the same command goes on from here\n");
  } else {
    fmt::print("next      hone bench {0}      hone run {0}\n", summary.networks[0].artefact);
  }
}

}  // namespace

int tune_network(const Tune& options) {
  const Interrupt interrupt;
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not a death
  if (!options.note.empty() && !options.quiet) fmt::print(stderr, "{}", print_note(options.note));
  tune::NetworkOptions network = options.network;
  network.run = options.run;
  if (!options.no_store) network.store = store_file();
  if (options.dry_run) return say_plan(options, plan_of(options));
  for (const std::string& file : network.artefacts) {
    if (const auto folder = std::filesystem::path(file).parent_path(); !folder.empty())
      std::filesystem::create_directories(folder);
  }
  const Show show = options.json ? Show::Json : options.quiet ? Show::Nothing : default_show();
  const tune::NetworkListener display = make_network_display(show, options.verbose);
  tune::NetworkSession session(plan_of(options), network, display, interrupt.asked());
  const tune::NetworkSummary summary = session.run();
  if (!options.json) print_report(options, summary);
  return summary.state == record::RunState::Stopped ? kStopped : kDone;
}

}  // namespace hone::cli
