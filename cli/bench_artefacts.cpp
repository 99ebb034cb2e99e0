#include "cli/bench_artefacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/bench_baseline.h"
#include "cli/bench_report.h"
#include "cli/bench_subject.h"
#include "cli/bench_warnings.h"
#include "cli/exit_code.h"
#include "cli/machine_load.h"
#include "cli/terminal.h"

namespace hone::cli {
namespace {

BenchReport measure(const Bench& options) {
  std::vector<Subject> subjects;
  for (const std::string& file : options.artefacts) subjects.emplace_back(file, options.threads);
  const ProcessorTime before = processor_time();
  time_in_turns(subjects, options.timing);
  BenchReport report{
      .threads = hone_threads(),
      .results = {},
      .warnings = warnings_of_machine(share_of_others(before, processor_time()), frequency_governor()),
      .base = options.base,
      .comparisons = {}};
  for (Subject& subject : subjects) {
    const int runs = std::max(10, static_cast<int>(subject.samples().seconds.size()) / 4);
    report.results.push_back({subject.file(), subject.samples(),
                              options.timing.profile ? subject.profile(runs) : Profile{}});
    std::ranges::move(warnings_of(report.results.back()), std::back_inserter(report.warnings));
  }
  return report;
}

}  // namespace

int bench_artefacts(const Bench& options) {
  std::optional<BenchReport> earlier;
  if (!options.base.empty()) earlier = read_results(options.base);
  BenchReport report = measure(options);
  if (earlier) report.comparisons = compare(*earlier, report, options.fail_over.value_or(0));
  fmt::print("{}", options.json ? to_json(report) : to_text(report));
  for (const std::string& file : options.exports) export_report(report, file);
  for (const Warning& warning : report.warnings) {
    fmt::print(stderr, "{} {}\n         hint: {}\n", paint("warning:", Colour::Yellow, stderr),
               warning.text, warning.hint);
  }
  if (!options.fail_over || std::ranges::none_of(report.comparisons, &Comparison::is_regression))
    return kDone;
  fmt::print(stderr, "{} slower than in {} by more than {:g} %\n",
             paint("failed:", Colour::Red, stderr), options.base, *options.fail_over * 100);
  return kAnswerIsNo;
}

}  // namespace hone::cli
