#include "record/run_log.h"

#include <utility>

#include "base/error.h"
#include "base/match.h"
#include "record/line_reader.h"

namespace hone::record {

void visit_run_log(const std::string& path, const LogVisitor& visitor) {
  TrialNote of_next;
  LineReader lines(open_maybe_gzip(path));
  Line line;
  while (lines.next(line)) {
    if (std::optional<Note> note = note_from_line(line.text)) {
      if (auto* trial = std::get_if<TrialNote>(&*note)) {
        of_next = std::move(*trial);
      } else {
        visitor.on_note(*note);
      }
      continue;
    }
    if (is_comment(line.text)) continue;
    try {
      if (line.is_cut) throw UserError("the line is too long");
      visitor.on_trial(from_line(line.text), std::exchange(of_next, {}));
    } catch (const UserError& error) {
      visitor.on_problem({line.number, error.what()});
    }
  }
}

RunLog read_run_log(const std::string& path) {
  RunLog log;
  LogVisitor visitor;
  visitor.on_note = [&](const Note& note) {
    match(
        note,
        [&](const Begin& begin) {
          log.begin = begin;
          log.end.reset();
        },
        [&](const Computation& one) { log.computations.insert(one.workload_key); },
        [](const TrialNote&) {}, [&](const RoundNote& round) { log.rounds.push_back(round); },
        [&](const End& end) { log.end = end; });
  };
  visitor.on_trial = [&](Record&& record, TrialNote&& note) {
    log.trials.push_back(
        {std::move(record), std::move(note), log.begin ? log.begin->compiler : std::string()});
  };
  visitor.on_problem = [&](const Problem& problem) { log.problems.push_back(problem); };
  visit_run_log(path, visitor);
  return log;
}

}  // namespace hone::record
