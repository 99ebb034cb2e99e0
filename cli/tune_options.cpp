#include "cli/tune_options.h"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/affinity.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli/environment.h"
#include "cli/option_parts.h"
#include "cli/shipped_scorer.h"
#include "cli/train_program.h"
#include "target/target.h"

namespace hone::cli {
namespace {

// An option whose values are the names of an enum.
template <class Kind, class Names>
void add_kind(CLI::App& command, const char* option, Kind& kind, const Names& names, const char* what,
              const std::string& help) {
  const std::vector<std::string> words(names.begin(), names.end());
  const auto read = [&kind, words](const std::string& word) {
    kind = static_cast<Kind>(std::ranges::find(words, word) - words.begin());
  };
  const auto validate = [words, what](const std::string& word) -> std::string {
    if (std::ranges::find(words, word) != words.end()) return {};
    return fmt::format("`{}` is no {}; {}", word, what, did_you_mean(word, words));
  };
  command.add_option_function<std::string>(option, read, help)
      ->type_name(CLI::detail::join(words, "|"))
      ->check(validate);
}

constexpr const char* kNoScorer = "none";  // that was trained before: what --scorer gbdt is

// A built-in scorer by its name, or the file of a trained one.
void add_scorer(CLI::App& command, tune::Options& run) {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names(tune::kScorerNames.begin(), tune::kScorerNames.end());
    names.emplace_back(kNoScorer);
    return names;
  }();
  const auto read = [&run](const std::string& word) {
    const auto found = std::ranges::find(tune::kScorerNames, word);
    const bool is_name = found != tune::kScorerNames.end();
    run.scorer_file = is_name || word == kNoScorer ? "" : word;
    run.scorer = is_name ? static_cast<tune::ScorerKind>(found - tune::kScorerNames.begin())
                         : tune::ScorerKind::Gbdt;
  };
  const auto validate = [](const std::string& word) -> std::string {
    if (std::ranges::find(kNames, word) != kNames.end() || std::filesystem::exists(word)) return {};
    return fmt::format("`{}` is no scorer and no file; {}", word, did_you_mean(word, kNames));
  };
  command
      .add_option_function<std::string>(
          "--scorer", read,
          "What predicts their speed: trees that learn from trials (gbdt, "
          "none), or a trained FILE (default the one that comes with hone)")
      ->type_name(CLI::detail::join(kNames, "|") + "|FILE")
      ->envname("HONE_SCORER")
      ->check(validate);
  add_kind(
      command, "--scorer-use", run.scorer_use, tune::kScorerUseNames, "use of a scorer",
      "What trials do to the scorer of a FILE: trees learn where it is wrong (residual, the "
      "default), its last layer is fitted to them (tuned), an adapter beside that layer is trained on "
      "them (adapter), all of it is, by hone-train (full), or nothing (frozen)");
  command
      .add_option(
          "--scorer-share", run.scorer_share,
          "Share of the candidates that the scorer of a FILE is shown: the best by analysis and "
          "trials (default 0.25)")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0, 1.0).description(""));  // its own would be part of the help
}

template <class Number>
std::string whole_number(const char* what, Number least, Number most, const std::string& text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most)
    return {};
  return fmt::format("`{}` is no {} between {} and {}", text, what, least, most);
}

std::string span_of_time(const std::string& text) {
  try {
    parse_duration(text);
    return {};
  } catch (const UserError& error) {
    return fmt::format("{}; {}", error.what(), error.hint());
  }
}

// How much is done when neither --trials nor --budget says it.
struct Effort {
  const char* name;
  int trials;       // of an operator
  double budget_s;  // of models
};
constexpr std::array<Effort, 4> kEfforts = {
    {{"minimal", 16, 15}, {"quick", 64, 60}, {"normal", 200, 300}, {"full", 1000, 1800}}};

std::string one_of_efforts(const std::string& word) {
  std::vector<std::string> names;
  for (const Effort& effort : kEfforts) names.emplace_back(effort.name);
  if (std::ranges::find(names, word) != names.end()) return {};
  return fmt::format("`{}` is no effort; {}", word, did_you_mean(word, names));
}

void add_limits(CLI::App& command, Tune& tune) {
  tune::Options& options = tune.run;
  command
      .add_option("--effort", tune.effort,
                  "Of a model 15 s, 1 min, 5 min or 30 min, of an operator 16, 64, 200 or 1000 trials, "
                  "unless --budget or --trials is given (default normal)")
      ->type_name("minimal|quick|normal|full")
      ->check(one_of_efforts);
  command
      .add_option("--trials", options.trials,
                  "Candidates to measure in all; 0: take what the scorer ranks first")
      ->type_name("N")
      ->check(
          [](const std::string& text) { return whole_number("number of trials", 0, 1'000'000, text); });
  command
      .add_option_function<std::string>(
          "--budget", [&](const std::string& text) { options.budget_s = parse_duration(text); },
          "Time to spend: 30s, 20m, 1h30m; alone, trials are not limited")
      ->type_name("TIME")
      ->check(span_of_time);
  command
      .add_option("--threads", options.threads, "Threads that a kernel runs on (default one a core)")
      ->type_name("N")
      ->check([](const std::string& text) { return whole_number("number of threads", 1, 1024, text); });
  command
      .add_option("--jobs", options.jobs, "Threads that choose candidates (default one a processor)")
      ->type_name("N")
      ->envname("HONE_JOBS")
      ->check([](const std::string& text) { return whole_number("number of threads", 1, 1024, text); });
  command.add_option("--seed", options.seed, "Of all random choices (default 1)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return whole_number<std::uint64_t>("seed", 0, ~std::uint64_t{0}, text);
      });
}

void add_network(CLI::App& command, Tune& options) {
  tune::NetworkOptions& network = options.network;
  add_model(command, options.input);
  command
      .add_option("--task", options.tasks,
                  "Of models: tune only these, as `hone inspect --tasks` numbers them")
      ->type_name("3,7-9");
  command
      .add_option("--from", network.records, "Of models: try the winners of these logs or runs first")
      ->type_name("PATH");
  command.add_flag("--exact", network.exact,
                   "Of models: only algorithms that round as the definition does (no Winograd, no "
                   "Strassen)");
  command.add_flag("--separate-attention", options.separate_attention,
                   "Of models: scores, soft-max and product of attention as tasks of their own");
  command
      .add_option("--tolerance", network.tolerance,
                  "Of models: what the others may change, max|a-b| / max|b| (default 1e-3)")
      ->type_name("X")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  add_kind(command, "--scheduler", network.scheduler, tune::kSchedulerNames, "scheduler",
           "Of models: which task gets the next trials (default gradient)");
}

std::vector<int> parse_tasks(const std::string& text) {
  const auto refuse = [&] {
    return UserError(fmt::format("--task: `{}` is no list of tasks", text),
                     "numbers and ranges with commas between them, as in 3,7-9");
  };
  std::vector<int> tasks;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t dash = item.find('-');
    const std::string first = item.substr(0, dash),
                      last = dash == item.npos ? first : item.substr(dash + 1);
    if (!whole_number("task", 0, 100'000, first).empty() ||
        !whole_number("task", 0, 100'000, last).empty())
      throw refuse();
    for (int task = std::stoi(first); task <= std::stoi(last); ++task) tasks.push_back(task);
  }
  if (tasks.empty() && !text.empty()) throw refuse();
  return tasks;
}

void complete_network(Tune& options) {
  tune::Options& run = options.run;
  const bool several = options.models.size() > 1;
  std::vector<std::string> stems;
  for (const std::string& model : options.models) {
    stems.push_back(stem_of(model));
    std::string file = stems.back() + ".hone";
    if (!options.output.empty())
      file = several ? (std::filesystem::path(options.output) / file).string() : options.output;
    options.network.artefacts.push_back(std::move(file));
  }
  if (!run.replay.empty())
    throw UserError("--replay takes times from a log of one operator", "use it with --op");
  if (run.folder.empty()) run.folder = fmt::format("runs/{}-t{}", fmt::join(stems, "-"), run.threads);
  options.network.only = parse_tasks(options.tasks);
}

// Times that come from a log belong to whatever machine it was written on; searching in them is to give
// the same everywhere.
void use_shipped_scorer(Tune& options) {
  if (!options.run.replay.empty()) return;
  const std::optional<ShippedScorer> shipped = shipped_scorer();
  if (!shipped) return;
  if (shipped->misfit.empty()) {
    options.run.scorer_file = shipped->path;
  } else {
    options.note = fmt::format("{} is not used: {}", shipped->path, shipped->misfit);
  }
}

void complete_scorer(tune::Options& run) {
  if (run.scorer_file.empty()) return;
  run.scorer_cache = home_folder() + "/scorers";
  run.scorer_hash = hash_of_scorer(run.scorer_file);
  if (run.scorer_use == tune::ScorerUse::Full) run.train_program = find_train_program();
}

void check_operator_only(const Tune& options) {
  if (!options.tasks.empty() || options.network.exact || options.separate_attention)
    throw UserError(
        "--task, --exact and --separate-attention are of models; --op has one task and one algorithm");
}

}  // namespace

CLI::App* add_tune(CLI::App& app, Tune& options) {
  tune::Options& run = options.run;
  CLI::App* command = app.add_subcommand("tune", "Finds the fastest programs for a model");
  command->footer(
      "  hone tune model.onnx --budget 2m -o model.hone\n"
      "  hone tune builtin:resnet50 --effort quick --threads 1\n"
      "  hone tune --op conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1+bias+relu --trials 200\n"
      "\nThe same command goes on where the run in its folder stopped.\n");
  run.threads = run.jobs = 0;  // asked of the machine when the line is read
  command->add_option("model", options.models, "Models: FILE.onnx or builtin:NAME")->type_name("MODEL");
  command->add_option("--op", run.op, "Or one operator, NAME:key=value,...[+tail...]")->type_name("OP");
  command
      ->add_option("-o,--output", options.output,
                   "The artefact (default the model's name, .hone; of several models their folder); of "
                   "an operator the folder of the run")
      ->type_name("PATH");
  command->add_option("--run", run.folder, "Folder of the run (default runs/<model>-t<threads>)")
      ->type_name("DIR");
  add_limits(*command, options);
  add_network(*command, options);
  add_kind(*command, "--space", run.space, tune::kSpaceNames, "space", "Candidates (default hone)");
  add_scorer(*command, run);
  add_kind(*command, "--search", run.search, tune::kSearchNames, "search",
           "What chooses among them (default evolution)");
  command->add_flag("--fresh", run.fresh, "Start over: delete the run in the folder");
  command->add_option("--replay", run.replay, "Take times from a log of records; measure nothing")
      ->type_name("FILE");
  add_store(*command, options.no_store);
  command->add_option("--plot", options.plot, "Write best-so-far over trials and time as a picture")
      ->type_name("FILE.svg");
  command->add_flag("--dry-run", options.dry_run, "Say what would be done, and how long it would take");
  command->add_flag("--json", options.json, "JSON events on stdout, one a line, instead of text");
  command->add_flag("-v,--verbose", options.verbose, "Also every round and every failure");
  command->add_flag("-q,--quiet", options.quiet, "Nothing but the result");
  return command;
}

void complete(const CLI::App* command, Tune& options) {
  tune::Options& run = options.run;
  const bool trials_given = command->count("--trials") > 0;
  if (run.op.empty() == options.models.empty()) {
    throw UserError(run.op.empty() ? "nothing to tune: neither a model nor --op is given"
                                   : "either a model or --op can be tuned, not both at once",
                    "`hone tune --help` begins with examples");
  }
  if (run.threads == 0) run.threads = target::host().cores;
  if (command->count("--scorer") == 0) use_shipped_scorer(options);
  complete_scorer(run);
  if (run.jobs == 0) run.jobs = static_cast<int>(allowed_cpus().size());
  const bool budget_given = std::isfinite(run.budget_s);
  const Effort& effort = *std::ranges::find(kEfforts, options.effort, &Effort::name);
  if (!trials_given) run.trials = budget_given || run.op.empty() ? tune::kAnyTrials : effort.trials;
  if (!budget_given && !trials_given && run.op.empty()) run.budget_s = effort.budget_s;
  if (run.op.empty()) {
    complete_network(options);
  } else {
    check_operator_only(options);
    if (run.folder.empty()) run.folder = options.output;
    if (run.folder.empty()) run.folder = tune::default_folder(run);
  }
}

}  // namespace hone::cli
