#include "cli/bench_options.h"

#include <fmt/format.h>

#include <charconv>

#include "base/duration.h"
#include "base/error.h"
#include "cli/artefact_file.h"
#include "cli/bench_report.h"
#include "cli/option_parts.h"

namespace hone::cli {
namespace {

// For CLI11's check.
std::string duration_problem(const std::string& text) {
  try {
    parse_duration(text);
    return {};
  } catch (const UserError& error) {
    return error.what();
  }
}

// "5%" -> 0.05
std::optional<double> parse_percent(const std::string& text) {
  double percent = -1;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (std::string_view(end.ptr, text.data() + text.size()) != "%" || percent < 0) return std::nullopt;
  return percent / 100;
}

std::string percent_problem(const std::string& text) {
  return parse_percent(text) ? "" : fmt::format("`{}` is no share such as 5%", text);
}

void add_timing(CLI::App& bench, BenchTiming& timing) {
  bench
      .add_option("--warmup", timing.warmup,
                  "Runs of each artefact before those that are timed (default 1)")
      ->type_name("N")
      ->check([](const std::string& text) { return count_up_to(1'000'000, "runs", text); });
  bench
      .add_option("--runs", timing.runs, "Times that each artefact is run (default as --min-time asks)")
      ->type_name("N")
      ->check([](const std::string& text) { return count_up_to(1'000'000, "runs", text); });
  bench
      .add_option_function<std::string>(
          "--min-time", [&](const std::string& text) { timing.min_time_s = parse_duration(text); },
          "Time to spend on each artefact at least (default 3s)")
      ->type_name("TIME")
      ->check(duration_problem);
  bench.add_flag("--profile", timing.profile, "Also the time of each step of an artefact");
}

void add_comparing(CLI::App& bench, Bench& options) {
  bench
      .add_option("--against", options.base,
                  "Compare with an earlier result that --export wrote as JSON")
      ->type_name("BASE.json");
  bench
      .add_option_function<std::string>(
          "--fail-over", [&](const std::string& text) { options.fail_over = parse_percent(text); },
          "Exit 1 when an artefact is slower than in BASE.json by more than this")
      ->type_name("5%")
      ->check(percent_problem);
  bench
      .add_option("--export", options.exports,
                  "Write the results: .json, .csv or .md; as often as wanted")
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->check(export_problem);
}

}  // namespace

CLI::App* add_bench(CLI::App& app, Bench& options) {
  CLI::App* command = app.add_subcommand("bench", "Times artefacts or a computation on this machine");
  command->footer(
      "  hone bench resnet50.hone resnet50-untuned.hone\n"
      "  hone bench --op matmul:m=128,n=768,k=768+bias+gelu\n"
      "  hone bench model.hone --against base.json --fail-over 5% --export now.json\n");
  add_computation(*command, options.input);
  command->add_option("file", options.artefacts, "Artefacts; or a computation as DAG text")
      ->type_name("FILE");
  add_threads(*command, options.threads, "Threads to run on (default one a core)");
  add_timing(*command, options.timing);
  add_comparing(*command, options);
  add_json(*command, options.json);
  return command;
}

void complete(const CLI::App* command, Bench& options) {
  const auto refuse = [&](const char* what) {
    throw UserError(what, fmt::format("`{} --help` begins with examples", full_name(command)));
  };
  // One file that is no artefact is a computation.
  if (options.artefacts.size() == 1 && !is_artefact(options.artefacts.front())) {
    options.input.file = options.artefacts.front();
    options.artefacts.clear();
  }
  if (options.artefacts.empty()) {
    check_input(command, options.input);
    if (!options.base.empty() || !options.exports.empty())
      refuse("--against and --export are for artefacts");
  } else if (!options.input.op.empty() || !options.input.record.empty()) {
    refuse("an artefact has its computation and schedules: --op and --record are not for it");
  }
  if (options.fail_over && options.base.empty())
    refuse("--fail-over asks for an earlier result, which --against names");
}

}  // namespace hone::cli
