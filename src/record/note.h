// What a run says of itself between its records: lines `# {json}`, which other readers of the format
// skip.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace hone::record {

enum class RunState : std::uint8_t { Running, Stopped, Done, Failed };
std::string_view to_string(RunState state);

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();  // a number that is not known

// Opens a run, and again whenever it is resumed: what follows was measured under these conditions.
struct Begin {
  std::string compiler;  // what made the kernels
  std::string task;      // for people
  std::string workload_key, target;
  std::string replay;  // the log that times were taken from; empty when they were measured
  std::uint64_t seed = 0;
  std::int64_t time = 0;  // seconds since 1970
};

// What a task computes, so that a log can be learned from without anything beside it.
struct Computation {
  std::string workload_key;
  std::string dag;  // as task::print_whole writes it
};

// Of the record on the next line.
struct TrialNote {
  int round = 0;
  double score = kNone;  // predicted before the trial; higher is better
  double build_s = 0, run_s = 0;
  double at_s = 0;      // seconds of tuning, pauses between resumed runs not counted
  std::string message;  // why it failed
};

// Closes a round of trials.
struct RoundNote {
  int round = 0;
  double search_s = 0, score_s = 0;  // spent on choosing its candidates
  double rank_correlation = kNone;   // of predicted and measured speed, predicted beforehand
  double top1 = kNone;               // speed of the candidate predicted best, over the best speed
};

struct End {
  RunState state = RunState::Running;
  double baseline_s = kNone, best_s = kNone;
};

using Note = std::variant<Begin, Computation, TrialNote, RoundNote, End>;

std::string to_json(const Note& note);  // one line, without the `# `
// Empty when the line is a comment of somebody else's, or cannot be read.
std::optional<Note> note_from_line(std::string_view line);
// The same for those who want nothing else: most notes are of trials, and those are not read.
std::optional<Computation> computation_from_line(std::string_view line);

}  // namespace hone::record
