#include "cli/inspect_log.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "record/reader.h"
#include "worker/status.h"

namespace hone::cli {
namespace {

constexpr std::size_t kShownProblems = 10;  // a file that is no log at all has one a line

struct Summary {
  record::ReadSummary counts;
  std::map<int, std::int64_t> statuses;
  std::map<std::string, std::int64_t> workloads;  // key -> records
  std::vector<record::Problem> problems;          // the first ones
};

Summary summarise(const std::string& path) {
  Summary summary;
  summary.counts = record::read_records(
      path,
      [&](record::Record&& record, std::int64_t) {
        ++summary.statuses[record.error];
        ++summary.workloads[record.workload_key];
      },
      [&](const record::Problem& problem) {
        if (summary.problems.size() < kShownProblems) summary.problems.push_back(problem);
      });
  return summary;
}

std::string_view status_name(int error) {
  return worker::to_string(static_cast<worker::Status>(error));
}

void print_text(const std::string& path, const Summary& summary) {
  fmt::print("records    {} of {} workloads, {} valid\n", summary.counts.records,
             summary.workloads.size(), summary.counts.valid);
  for (const auto& [error, count] : summary.statuses) {
    fmt::print("status     {:<8} {}\n", count, status_name(error));
  }
  fmt::print("skipped    {} lines\n", summary.counts.problems);
  for (const record::Problem& problem : summary.problems) {
    fmt::print(stderr, "{} {}:{}: {}\n", paint("warning:", Colour::Yellow, stderr), path, problem.line,
               problem.reason);
  }
}

void print_json(const Summary& summary) {
  nlohmann::ordered_json statuses = nlohmann::ordered_json::object();
  for (const auto& [error, count] : summary.statuses) statuses[std::string(status_name(error))] = count;
  nlohmann::ordered_json problems = nlohmann::ordered_json::array();
  for (const record::Problem& problem : summary.problems) {
    problems.push_back({{"line", problem.line}, {"reason", problem.reason}});
  }
  const nlohmann::ordered_json report = {{"schema", "hone.log/1"},
                                         {"lines", summary.counts.lines},
                                         {"records", summary.counts.records},
                                         {"valid", summary.counts.valid},
                                         {"statuses", statuses},
                                         {"workloads", summary.workloads},
                                         {"skipped", summary.counts.problems},
                                         {"first_skipped", problems}};
  fmt::print("{}\n", report.dump());
}

}  // namespace

bool is_log(const std::string& path) {
  std::ifstream file(path);
  int first = file.get();
  if (first == ' ') first = file.get() == '{' ? '{' : ' ';  // a record of hone's own
  return first == '{' || first == '#' || first == 0x1f;     // the last begins a gzip file
}

int inspect_log(const std::string& path, bool json) {
  const Summary summary = summarise(path);
  json ? print_json(summary) : print_text(path, summary);
  return kDone;
}

}  // namespace hone::cli
