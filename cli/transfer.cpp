// `hone transfer`: a scorer of other machines, adapted to this one by a few measurements.
#include <fmt/format.h>
#include <signal.h>

#include <filesystem>
#include <set>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "cli/collect_display.h"
#include "cli/collect_tasks.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/shipped_scorer.h"
#include "cli/transfer_report.h"
#include "cli/transfer_tasks.h"
#include "target/detect.h"
#include "task/key.h"
#include "tune/label_pool.h"
#include "tune/learned_scorer.h"
#include "tune/scorer_fit.h"
#include "tune/tune.h"

namespace hone::cli {
namespace {

using Tasks = std::vector<tune::CollectTask>;

constexpr std::size_t kLeastTasks = 4;  // with fewer, tasks left out say nothing of ways to adapt

target::Target host_with(int cores) {
  target::Target target = target::host();
  target.cores = cores;
  return target;
}

// Throws UserError when there is no such scorer, or none that can learn here.
ScorerToAdapt load(const Transfer& options) {
  if (!std::filesystem::exists(options.from))
    throw UserError(fmt::format("there is no scorer `{}`", options.from),
                    "a file that `hone train` wrote");
  const int threads = options.collect.run.jobs;
  ScorerToAdapt scorer{.file = score::parse_scorer(read_maybe_gzip(options.from), options.from),
                       .network = {},
                       .cache = home_folder() + "/scorers",
                       .threads = threads};
  const score::ModelHeader& header = scorer.file.header;
  if (const std::string misfit = tune::misfit_of(header); !misfit.empty())
    throw UserError(fmt::format("{} cannot be used here: {}", options.from, misfit),
                    "train one with this hone: `hone train --help`");
  if (header.kind != "hone")
    throw UserError(fmt::format("{} is of kind {}, which cannot be adapted", options.from, header.kind),
                    "scorers of kind hone can");
  scorer.network = tune::load_scorer(options.from, host_with(threads), scorer.cache, true);
  return scorer;
}

Tasks choose(const Transfer& options, const score::Network& known) {
  const tune::CollectOptions& run = options.collect.run;
  Tasks tasks = tune::choose_labels(transfer_tasks(options), host_with(run.threads), known,
                                    {.labels = static_cast<std::size_t>(options.labels),
                                     .is_active = options.choose == "active",
                                     .seed = run.seed,
                                     .jobs = run.jobs});
  if (tasks.size() < kLeastTasks)
    throw UserError(fmt::format("programs of {} tasks are too few to adapt to; at least {} are needed",
                                tasks.size(), kLeastTasks),
                    "name more models or operators, or none: then they are chosen");
  return tasks;
}

TransferStart start_of(const Transfer& options, const score::ModelHeader& header, const Tasks& tasks) {
  TransferStart start{.scorer = options.from,
                      .hash = hash_of_scorer(options.from),
                      .kind = header.kind,
                      .known_tasks = header.tasks.size(),
                      .machine = tune::machine_name(host_with(options.collect.run.threads)),
                      .tasks = tasks.size(),
                      .choose = options.choose};
  const std::set<std::string> known(header.tasks.begin(), header.tasks.end());
  for (const tune::CollectTask& task : tasks) {
    start.programs += task.programs.size();
    start.seen += known.contains(task::tvm_key(*task.task)) ? 1 : 0;
  }
  return start;
}

tune::CollectProgress measure(const Collect& options, Tasks tasks, const std::atomic<bool>& stop) {
  CollectDisplay display(options.json ? Show::Json : options.quiet ? Show::Nothing : default_show());
  const tune::CollectListener listener = std::ref(display);
  tune::Collection collection(std::move(tasks), options.run, listener, stop);
  const tune::CollectProgress progress = collection.run();
  if (progress.programs == progress.failed)
    throw UserError(progress.programs == 0
                        ? "it was stopped before a program was measured"
                        : fmt::format("none of {} programs could be measured", progress.programs),
                    fmt::format("`hone inspect {}/records.jsonl` says why", options.run.folder));
  collection.write_set(options.output, this_machine(options));
  return progress;
}

void set(auto& pairs, const std::string& name, const auto& value) {
  std::erase_if(pairs, [&](const auto& pair) { return pair.first == name; });
  pairs.emplace_back(name, value);
}

// What whoever finds the file wants to know of it.
void write_card(score::AdaptResult& adapted, const Transfer& options, const record::Dataset& labels,
                const std::optional<BeforeAfter>& judged) {
  score::ModelHeader& header = adapted.file.header;
  const record::Machine machine = this_machine(options.collect);
  set(header.options, "parent", hash_of_scorer(options.from));
  set(header.options, "parent_data", header.data_hash);
  set(header.options, "machine", fmt::format("{} {}", machine.name, machine.descriptor));
  set(header.options, "labels", std::to_string(labels.n_programs()));
  set(header.options, "label_choice", options.choose);
  set(header.options, "label_seed", std::to_string(options.collect.run.seed));
  set(header.options, "adapted", score::name_of(adapted.chosen.way));
  header.target = machine.name;
  header.data_hash = score::hexadecimal(labels.file.content_hash());
  if (!judged) return;
  for (const BeforeAfter::Row& row : judged->rows) {
    set(header.metrics, "before_" + row.id, row.before.value);
    set(header.metrics, "after_" + row.id, row.after.value);
  }
}

}  // namespace

int transfer(const Transfer& options) {
  const double start_s = now_s();
  const Interrupt interrupt;
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not a death
  const Collect& collect = options.collect;
  const TransferReport report(collect.json, collect.quiet);
  const ScorerToAdapt scorer = load(options);

  Tasks tasks = choose(options, *scorer.network);
  TransferStart start = start_of(options, scorer.file.header, tasks);
  start.seconds = now_s() - start_s;
  report.began(start);
  TransferEnd end{.measured = measure(collect, std::move(tasks), interrupt.asked()),
                  .scorer = options.output,
                  .set = collect.output,
                  .way = {}};

  const record::Dataset set = record::Dataset::open(collect.output);
  const tune::Labels labels = tune::labels_of(set, *scorer.network, scorer.threads);
  const std::optional<BeforeAfter> judged = judge_transfer(scorer, labels);
  report.judged(judged);
  score::AdaptResult adapted = adapt(scorer, labels.programs);
  write_card(adapted, options, set, judged);
  write_whole(options.output, score::print_scorer(adapted.file));
  end.way = score::name_of(adapted.chosen.way);
  end.is_adapted = !adapted.is_source();
  end.seconds = now_s() - start_s;
  report.ended(end);
  return end.measured.state == record::RunState::Stopped ? kStopped : kDone;
}

}  // namespace hone::cli
