#include "cli/explain_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "base/error.h"
#include "base/gzip.h"
#include "cli/explain_task.h"
#include "cli/inspect_dataset.h"
#include "record/dataset.h"
#include "record/note.h"
#include "record/reader.h"
#include "tune/run_folder.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

// "log.json:17" -> log.json and 17; a name without a number, or with one that is part of the file's
// name, has none.
struct Reference {
  std::string file;
  std::int64_t number = -1;
};

Reference parse_reference(const Explain& options) {
  Reference out{options.record, options.line > 0 ? options.line : -1};
  const std::size_t colon = options.record.rfind(':');
  if (colon == std::string::npos || fs::exists(options.record)) return out;
  const char* const end = options.record.data() + options.record.size();
  const auto read = std::from_chars(options.record.data() + colon + 1, end, out.number);
  if (read.ptr != end || read.ec != std::errc() || out.number < 0)
    throw UserError(fmt::format("there is no file `{}`", options.record),
                    "a log, FILE:LINE, the folder of a run, SET.hds:PROGRAM, or - for stdin");
  if (options.line > 0)
    throw UserError(fmt::format("both {} and --line name a line", options.record),
                    "leave one of them out");
  out.file = options.record.substr(0, colon);
  return out;
}

struct Found {
  RecordedProgram program;
  std::string computation;  // of its task, where the log tells it
};

// Of all records in a text.
class LogSearch {
 public:
  LogSearch(std::string name, std::int64_t line) : name_(std::move(name)), line_(line) {}

  Found run(const std::string& text) {
    const record::ReadSummary summary = record::read_records_of_text(
        text, [this](record::Record&& record, std::int64_t line) { take(std::move(record), line); },
        [this](const record::Problem& problem) { hear(problem); });
    if (!chosen_) refuse(summary);
    Found found{.program = {.record = std::move(*chosen_),
                            .origin = fmt::format("{}:{}", name_, chosen_line_),
                            .task = nullptr},
                .computation = {}};
    found.computation = computation_in(text, found.program.record.workload_key);
    add_beside(found.program);
    return found;
  }

 private:
  struct Timed {
    std::string key, target;
    double best_s;
  };

  void take(record::Record&& record, std::int64_t line) {
    const bool is_valid = record::is_valid(record);
    const double best_s = record::best_cost(record);
    if (is_valid) timed_.push_back({record.workload_key, record.target, best_s});
    const bool is_wanted = line_ > 0 ? line == line_ : is_valid && best_s < least_s_;
    if (!is_wanted) return;
    least_s_ = best_s;
    chosen_ = std::move(record);
    chosen_line_ = line;
  }
  void hear(const record::Problem& problem) {
    if (problem.line == line_) reason_ = problem.reason;
  }

  [[noreturn]] void refuse(const record::ReadSummary& summary) const {
    if (!reason_.empty()) throw UserError(fmt::format("{}:{}: {}", name_, line_, reason_));
    if (line_ > summary.lines)
      throw UserError(
          fmt::format("{} has {} lines, so there is no line {}", name_, summary.lines, line_),
          "count lines from 1");
    if (line_ > 0)
      throw UserError(fmt::format("{}:{} is a note, not a record", name_, line_),
                      "name a line that begins with a brace");
    throw UserError(fmt::format("{} holds no valid record", name_),
                    fmt::format("{} records were read; --line names one that failed", summary.records));
  }

  // Empty when the log does not tell it.
  static std::string computation_in(const std::string& text, const std::string& workload_key) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const std::optional<record::Computation> told = record::computation_from_line(line);
      if (told && told->workload_key == workload_key) return told->dag;
    }
    return {};
  }

  void add_beside(RecordedProgram& program) const {
    for (const Timed& timed : timed_) {
      if (timed.key != program.record.workload_key || timed.target != program.record.target) continue;
      program.best_beside_s =
          program.n_beside == 0 ? timed.best_s : std::min(program.best_beside_s, timed.best_s);
      ++program.n_beside;
    }
  }

  std::string name_;
  std::int64_t line_;  // -1: the fastest
  std::optional<record::Record> chosen_;
  std::int64_t chosen_line_ = 0;
  double least_s_ = INFINITY;
  std::vector<Timed> timed_;
  std::string reason_;  // why the line cannot be read
};

Found load_from_log(const Reference& reference) {
  if (reference.file == "-")
    return LogSearch("stdin", reference.number).run({std::istreambuf_iterator<char>(std::cin), {}});
  fs::path file = reference.file;
  if (fs::is_directory(file)) file /= tune::kRecordsFile;
  return LogSearch(file.string(), reference.number).run(read_maybe_gzip(file.string()));
}

RecordedProgram load_from_set(const Reference& reference) {
  const record::Dataset set = record::Dataset::open(reference.file);
  if (reference.number < 0 || reference.number >= static_cast<std::int64_t>(set.n_programs()))
    throw UserError(
        reference.number < 0
            ? fmt::format("{} holds {} programs, and none is named", reference.file, set.n_programs())
            : fmt::format("{} has no program {}", reference.file, reference.number),
        fmt::format("write {}:N with N from 0 to {}", reference.file, set.n_programs() - 1));
  const auto program = static_cast<std::size_t>(reference.number);
  set.check_program(program);
  if (set.kind_of(program) != record::ProgramKind::Steps)
    throw UserError(fmt::format("program {} of {} has knobs and no steps", program, reference.file),
                    "programs of AutoTVM's cannot be explained");
  RecordedProgram out{.record = set.record(program),
                      .origin = fmt::format("{}:{}", reference.file, program),
                      .task = set.computation(set.task[program])};
  for (std::size_t other = 0; other < set.n_programs(); ++other) {
    if (set.task[other] != set.task[program] || std::isnan(set.best[other])) continue;
    const double best_s = double{set.best[other]};
    out.best_beside_s = out.n_beside == 0 ? best_s : std::min(out.best_beside_s, best_s);
    ++out.n_beside;
  }
  return out;
}

}  // namespace

RecordedProgram load_program(const Explain& options) {
  const Reference reference = parse_reference(options);
  if (reference.file != "-" && !fs::exists(reference.file))
    throw UserError(fmt::format("there is no file `{}`", reference.file),
                    "a log, FILE:LINE, the folder of a run, SET.hds:PROGRAM, or - for stdin");
  std::string computation;
  RecordedProgram program;
  if (reference.file != "-" && fs::is_regular_file(reference.file) && is_dataset(reference.file)) {
    program = load_from_set(reference);
  } else {
    Found found = load_from_log(reference);
    program = std::move(found.program);
    computation = std::move(found.computation);
  }
  if (program.task == nullptr)
    program.task = task_of_key(program.record.workload_key, options, computation);
  if (program.task == nullptr)
    throw UserError(
        fmt::format("{} does not say what its task computes: {}", program.origin,
                    program.record.workload_key),
        "say it with --op, --model or --dags, or name a data set with --set that has the task");
  return program;
}

}  // namespace hone::cli
