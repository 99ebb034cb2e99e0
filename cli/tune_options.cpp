#include "cli/tune_options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/affinity.h"
#include "base/duration.h"
#include "base/error.h"
#include "base/nearest.h"
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

// One a processor that this program may use, unless HONE_JOBS says otherwise.
int jobs() {
  const char* text = std::getenv("HONE_JOBS");
  if (text == nullptr || *text == '\0') return static_cast<int>(allowed_cpus().size());
  if (const std::string fault = whole_number("number of threads", 1, 1024, text); !fault.empty())
    throw UserError("HONE_JOBS: " + fault);
  return std::atoi(text);
}

void add_limits(CLI::App& command, tune::Options& options) {
  command.add_option("--trials", options.trials, "Candidates to measure in all (default 200)")
      ->type_name("N")
      ->check(
          [](const std::string& text) { return whole_number("number of trials", 1, 1'000'000, text); });
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
  command.add_option("--seed", options.seed, "Of all random choices (default 1)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return whole_number<std::uint64_t>("seed", 0, ~std::uint64_t{0}, text);
      });
}

}  // namespace

CLI::App* add_tune(CLI::App& app, Tune& options) {
  tune::Options& run = options.run;
  CLI::App* command = app.add_subcommand("tune", "Finds the fastest program for a computation");
  command->footer(
      "  hone tune --op matmul:m=512,n=512,k=512\n"
      "  hone tune --op conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1+bias+relu --budget 30s\n"
      "  hone tune --op matmul:m=128,n=768,k=768 --trials 500 --threads 1 -o runs/gemm --plot "
      "gemm.svg\n"
      "\nThe same command goes on where the run in its folder stopped.\n");
  run.threads = 0;  // asked of the machine when the line is read
  command->add_option("--op", run.op, "An operator, NAME:key=value,...[+tail...]")->type_name("OP");
  add_limits(*command, run);
  add_kind(*command, "--space", run.space, tune::kSpaceNames, "space", "Candidates (default hone)");
  add_kind(*command, "--scorer", run.scorer, tune::kScorerNames, "scorer",
           "What predicts their speed (default gbdt)");
  add_kind(*command, "--search", run.search, tune::kSearchNames, "search",
           "What chooses among them (default evolution)");
  command->add_option("-o,--output", run.folder, "Folder of the run (default runs/<operator>)")
      ->type_name("DIR");
  command->add_flag("--fresh", run.fresh, "Start over: delete the run in the folder");
  command->add_option("--replay", run.replay, "Take times from a log of records; measure nothing")
      ->type_name("FILE");
  command->add_option("--plot", options.plot, "Write best-so-far over trials and time as a picture")
      ->type_name("FILE.svg");
  command->add_flag("--dry-run", options.dry_run, "Say what would be done, and how long it would take");
  command->add_flag("--json", options.json, "JSON events on stdout, one a line, instead of text");
  command->add_flag("-v,--verbose", options.verbose, "Also every round and every failure");
  command->add_flag("-q,--quiet", options.quiet, "Nothing but the result");
  return command;
}

void complete(Tune& options, bool trials_given) {
  tune::Options& run = options.run;
  if (run.op.empty()) {
    throw UserError("nothing to tune: --op is not given", "`hone tune --help` begins with examples");
  }
  if (run.threads == 0) run.threads = target::host().cores;
  run.jobs = jobs();
  if (std::isfinite(run.budget_s) && !trials_given) run.trials = 0;
  if (run.folder.empty()) run.folder = tune::default_folder(run);
}

}  // namespace hone::cli
