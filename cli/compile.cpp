// `hone compile`: a model and what was tuned for it become an artefact.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "artefact/emit.h"
#include "artefact/from_graph.h"
#include "artefact/write.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/model_input.h"
#include "cli/option_parts.h"
#include "cli/terminal.h"
#include "cli/user_store.h"
#include "graph/flops.h"
#include "graph/passes.h"
#include "record/best.h"
#include "schedule/state.h"
#include "task/key.h"
#include "tune/recorded_choice.h"
#include "tune/tune.h"

namespace hone::cli {
namespace {

struct UntunedTask {
  std::string name, workload_key;
};

struct Outcome {
  std::string model, artefact;
  std::vector<std::string> files = {};  // empty: nothing was written
  double flop = 0;
  int threads = 1;
  std::size_t steps = 0, tasks = 0;
  std::vector<UntunedTask> untuned = {};
  std::vector<std::string> targets = {};  // of the variants
  std::uint64_t size_bytes = 0;           // of the artefact; 0: none was written
  double seconds = 0;
};

void note(const std::string& text) {
  fmt::print(stderr, "{} {}\n", paint("note:", Colour::Yellow, stderr), text);
}

std::string file_of(const Compile& options) {
  return options.output.empty() ? stem_of(options.model) + ".hone" : options.output;
}

record::BestRecords load_records(const Compile& options, const target::Target& target) {
  record::BestRecords best = record::best_records(options.records, target::to_string(target));
  if (best.others > 0)
    note(fmt::format("{} records are of another machine or number of threads and not used",
                     best.others));
  if (best.problems > 0) note(fmt::format("{} lines of the logs cannot be read", best.problems));
  return best;
}

// The record of a task, if it was tuned.
using FindRecord = std::function<std::optional<record::Record>(const task::Task& task)>;

FindRecord records_in_logs(const Compile& options, const target::Target& target) {
  return [best = load_records(options, target)](const task::Task& task) {
    const auto found = best.by_workload.find(task::tvm_key(task));
    return found == best.by_workload.end() ? std::nullopt : std::optional(found->second);
  };
}

FindRecord records_in_store(const Compile& options, const target::Target& target) {
  auto user_store = std::make_shared<UserStore>(!options.no_store);
  return [user_store, machine = target::to_string(target)](const task::Task& task) {
    std::optional<record::Record> found;
    user_store->use([&](const record::Store& store) {
      for (record::Record& record : store.best(task, machine, tune::compiler_name(), 1))
        found = std::move(record);
    });
    return found;
  };
}

// The schedule that a record has for the task, if its steps can be applied.
std::optional<artefact::TunedSchedule> tuned_schedule(const FindRecord& find, const task::Task& task) {
  const std::optional<record::Record> record = find(task);
  if (!record) return std::nullopt;
  try {
    schedule::replay(std::make_shared<const task::Task>(task), record->steps);
  } catch (const UserError& error) {
    note(fmt::format("the record of {} does not fit: {}", task.name, error.what()));
    return std::nullopt;
  }
  return artefact::TunedSchedule{record->steps, record->layout_option != 0, record::to_line(*record)};
}

// In the forms and by the algorithms that were the fastest, or are expected to be.
graph::Graph with_choices_made(graph::Graph graph, const Compile& options, const target::Target& target,
                               const FindRecord& find) {
  const tune::Estimate estimate = tune::estimate_for(target);
  const tune::Plan plan = tune::plan_networks(
      {std::move(graph)}, {.exact = options.exact, .estimate = estimate, .lanes = target.lanes(32)});
  const auto recorded = [&](const task::Task& task) -> std::optional<double> {
    const auto record = find(task);
    return record ? std::optional(record::best_cost(*record)) : std::nullopt;
  };
  const tune::Recorded chosen = tune::choose_recorded(plan, 0, recorded, estimate);
  return tune::arranged(plan, 0, chosen.options, chosen.alternatives);
}

void write_forms(const artefact::Artefact& made, const Compile& options, Outcome& outcome) {
  const std::filesystem::path file = file_of(options);
  const std::string stem = (file.parent_path() / file.stem()).string();
  for (const std::string& form :
       options.forms.empty() ? std::vector<std::string>{"hone"} : options.forms) {
    std::vector<std::string> written = {file.string()};
    if (form == "hone") outcome.size_bytes = artefact::write(artefact::build(made), file.string());
    if (form == "c") written = artefact::write_c(made, stem);
    if (form == "so") written = artefact::write_shared_object(made, stem);
    outcome.files.insert(outcome.files.end(), written.begin(), written.end());
  }
}

Outcome run(const Compile& options) {
  const double start = now_s();
  const model::Model model = load_model(options.model);
  const graph::Graph graph = graph::from_model(model, import_options(options.input));
  target::Target target = target::host();
  if (options.threads > 0) target.cores = options.threads;
  const FindRecord find =
      options.records.empty() ? records_in_store(options, target) : records_in_logs(options, target);

  Outcome outcome{.model = model.name,
                  .artefact = file_of(options),
                  .flop = graph::flop_count(graph),
                  .threads = target.cores};
  artefact::FromGraphOptions making{.target = target, .threads = target.cores};
  making.keep_loops = std::ranges::find(options.forms, "c") != options.forms.end();
  if (options.portable) making.others = target::portable(target.arch);
  making.tuned = [&](const task::Task& task) {
    std::optional<artefact::TunedSchedule> tuned = tuned_schedule(find, task);
    if (!tuned) outcome.untuned.push_back({task.name, task::tvm_key(task)});
    return tuned;
  };
  const artefact::Artefact made = artefact::from_graph(
      with_choices_made(graph::run_passes(graph, {.join_attention = !options.separate_attention}),
                        options, target, find),
      making);
  outcome.steps = made.variants[0].program.steps.size();
  outcome.tasks = made.variants[0].kernels.size();
  for (const artefact::Variant& variant : made.variants) outcome.targets.push_back(variant.target.cpu);
  if (outcome.untuned.empty() || !options.require_tuned) write_forms(made, options, outcome);
  outcome.seconds = now_s() - start;
  return outcome;
}

void print_text(const Outcome& outcome) {
  fmt::print("model     {}  ({:.3g} GFLOP)\n", outcome.model, outcome.flop * 1e-9);
  fmt::print("tasks     {} distinct in {} steps: {} tuned, {} untuned\n", outcome.tasks, outcome.steps,
             outcome.tasks - outcome.untuned.size(), outcome.untuned.size());
  if (outcome.targets.size() > 1) fmt::print("variants  {}\n", fmt::join(outcome.targets, ", "));
  for (const std::string& file : outcome.files) {
    fmt::print("wrote     {}  ({:.1f} MiB) in {}\n", file,
               static_cast<double>(std::filesystem::file_size(file)) / (1 << 20),
               print_time(outcome.seconds));
  }
  if (outcome.size_bytes > 0)
    fmt::print("next      hone run {0}      hone bench {0}\n", outcome.artefact);
}

void print_json(const Outcome& outcome) {
  auto untuned = nlohmann::ordered_json::array();
  for (const UntunedTask& task : outcome.untuned)
    untuned.push_back({{"task", task.name}, {"workload_key", task.workload_key}});
  nlohmann::ordered_json report = {
      {"schema", "hone.compile/1"},    {"model", outcome.model},     {"flop", outcome.flop},
      {"threads", outcome.threads},    {"steps", outcome.steps},     {"tasks", outcome.tasks},
      {"untuned", std::move(untuned)}, {"seconds", outcome.seconds}, {"targets", outcome.targets}};
  if (outcome.size_bytes > 0) {
    report["artefact"] = outcome.artefact;
    report["size_bytes"] = outcome.size_bytes;
  }
  report["files"] = outcome.files;
  fmt::print("{}\n", report.dump());
}

}  // namespace

int compile(const Compile& options) {
  const Outcome outcome = run(options);
  options.json ? print_json(outcome) : print_text(outcome);
  if (!outcome.files.empty()) return kDone;
  fmt::print(stderr, "{} {} tasks were not tuned, nothing is written:\n",
             paint("failed:", Colour::Red, stderr), outcome.untuned.size());
  for (const UntunedTask& task : outcome.untuned) fmt::print(stderr, "  {}\n", task.name);
  return kAnswerIsNo;
}

}  // namespace hone::cli
