#include "record/run_log.h"

#include <utility>

#include "base/error.h"
#include "base/match.h"
#include "record/line_reader.h"

namespace hone::record {

RunLog read_run_log(const std::string& path) {
  RunLog log;
  TrialNote of_next;
  const auto take_note = [&](Note note) {
    match(
        std::move(note),
        [&](Begin&& begin) {
          log.begin = std::move(begin);
          log.end.reset();
        },
        [&](TrialNote&& trial) { of_next = std::move(trial); },
        [&](RoundNote&& round) { log.rounds.push_back(round); }, [&](End&& end) { log.end = end; });
  };
  LineReader lines(open_maybe_gzip(path));
  Line line;
  while (lines.next(line)) {
    if (auto note = note_from_line(line.text)) {
      take_note(std::move(*note));
      continue;
    }
    if (line.text.empty() || line.text[0] == '#') continue;
    try {
      if (line.is_cut) throw UserError("the line is too long");
      log.trials.push_back({from_line(line.text), std::exchange(of_next, {}),
                            log.begin ? log.begin->compiler : std::string()});
    } catch (const UserError& error) {
      log.problems.push_back({line.number, error.what()});
    }
  }
  return log;
}

}  // namespace hone::record
