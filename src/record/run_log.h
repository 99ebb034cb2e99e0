// The log of a run, records and notes together: all that is needed to go on with it.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "record/note.h"
#include "record/reader.h"
#include "record/record.h"

namespace hone::record {

// Line by line. A TrialNote goes with its record and to nobody else; any log of records will do. Throws
// UserError when it cannot be opened.
struct LogVisitor {
  std::function<void(const Note& note)> on_note;
  std::function<void(Record&& record, TrialNote&& note)> on_trial;
  std::function<void(const Problem& problem)> on_problem;
};
void visit_run_log(const std::string& path, const LogVisitor& visitor);

struct LoggedTrial {
  Record record;
  TrialNote note;
  std::string compiler;  // of the Begin above it; empty in the logs of others
};

struct RunLog {
  std::optional<Begin> begin;          // the last one
  std::optional<End> end;              // after it; none while it runs, or when it was killed
  std::set<std::string> computations;  // workload keys of the tasks that it describes
  std::vector<LoggedTrial> trials;
  std::vector<RoundNote> rounds;
  std::vector<Problem> problems;
};
RunLog read_run_log(const std::string& path);

}  // namespace hone::record
