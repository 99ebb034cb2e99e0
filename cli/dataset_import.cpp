// `hone dataset import`: logs become a set.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "record/import.h"

namespace hone::cli {
namespace {

void print_text(const Dataset& options, const record::ImportSummary& summary, double seconds) {
  const auto bytes = static_cast<double>(std::filesystem::file_size(options.output));
  fmt::print("wrote      {}  {:.1f} MB, {:.0f} bytes a program\n", options.output, bytes / 1e6,
             bytes / static_cast<double>(summary.programs));
  fmt::print("programs   {} from {} logs, {} valid, {} failed\n", summary.programs, summary.sources,
             summary.valid, summary.programs - summary.valid);
  fmt::print("tasks      {}, {} with their computation, {} of a network\n", summary.tasks,
             summary.tasks_with_dag, summary.tasks_with_network);
  fmt::print("lines      {}, {} comments, {} corrupt, {} misaligned\n", summary.lines, summary.comments,
             summary.corrupt, summary.misaligned);
  fmt::print("time       {:.2f} s, {:.0f} programs/s\n", seconds,
             static_cast<double>(summary.programs) / seconds);
  if (summary.tasks_with_machine < summary.tasks)
    fmt::print(
        stderr,
        "{} the machine of {} tasks is not known, and such sets never merge; --machine names it\n",
        paint("note:", Colour::Yellow, stderr), summary.tasks - summary.tasks_with_machine);
}

void print_json(const Dataset& options, const record::ImportSummary& summary,
                const nlohmann::ordered_json& problems, double seconds) {
  const nlohmann::ordered_json report = {{"schema", "hone.dataset_import/1"},
                                         {"output", options.output},
                                         {"bytes", std::filesystem::file_size(options.output)},
                                         {"logs", summary.sources},
                                         {"programs", summary.programs},
                                         {"valid", summary.valid},
                                         {"tasks", summary.tasks},
                                         {"tasks_with_dag", summary.tasks_with_dag},
                                         {"tasks_with_network", summary.tasks_with_network},
                                         {"tasks_with_machine", summary.tasks_with_machine},
                                         {"lines", summary.lines},
                                         {"comments", summary.comments},
                                         {"corrupt", summary.corrupt},
                                         {"misaligned", summary.misaligned},
                                         {"problems", problems},
                                         {"seconds", seconds}};
  print_report(report);
}

}  // namespace

int dataset_import(const Dataset& options) {
  check_new(options.output);
  Complaints complaints(options.verbose);
  nlohmann::ordered_json problems = nlohmann::ordered_json::array();
  const auto start = std::chrono::steady_clock::now();
  const record::ImportSummary summary = record::import_logs(
      {.logs = options.inputs,
       .output = options.output,
       .machine = options.machine,
       .dags = options.dags,
       .networks = options.networks,
       .is_one_machine = options.one_machine,
       .threads = threads_of(options)},
      [&](const record::ImportProblem& problem) {
        const std::string place =
            problem.line == 0 ? problem.source : fmt::format("{}:{}", problem.source, problem.line);
        complaints.add(fmt::format("{}: {}", place, problem.reason));
        problems.push_back(
            {{"log", problem.source}, {"line", problem.line}, {"reason", problem.reason}});
      });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (options.json) {
    print_json(options, summary, problems, elapsed.count());
  } else {
    print_text(options, summary, elapsed.count());
  }
  return kDone;
}

}  // namespace hone::cli
