// What a run came to.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tune/meter.h"
#include "tune/options.h"
#include "tune/progress.h"

namespace hone::tune {

// The end of a run: the best candidates and the baseline, measured again in turn.
struct Finals {
  struct Finalist {
    int trial = 0;  // its number in the run
    Comparison times;
  };
  std::vector<Finalist> finalists;  // fastest in the search first
  int winner = -1;                  // index of finalists; -1: none gave a right answer
  int baseline = -1;                // likewise
  double drift = record::kNone;     // baseline at the end over baseline at the beginning, less one

  int index_of(int trial) const;  // of finalists; -1: it is none of them, or failed
  const Finalist* winning() const;
  double speedup() const;  // of the winner over the baseline; 1 when that won or failed
};

struct Summary {
  record::RunState state = record::RunState::Running;
  std::string task, target, compiler;
  double flop = 0;
  Options options;
  Progress progress;
  std::vector<Trial> trials;            // all of the run, when it has ended
  int stale = 0;                        // trials in the log that another compiler or target made
  double trials_per_s = 0;              // of this session, until the best were measured again
  bool exhausted = false;               // the space holds no further candidate
  int ranked = -1;                      // the trial that was chosen without one; -1: by times
  std::optional<Finals> finals;         // unless the run was stopped
  std::string best_steps;               // of the winner, else of the fastest trial; JSON
  std::vector<record::Record> winners;  // what is worth keeping, see winners_of

  bool has_answer() const { return progress.best_trial >= 0; }
  bool nothing_to_tune() const { return exhausted && progress.trials <= 1; }
  double best_s() const;      // re-measured where it was
  double baseline_s() const;  // likewise
};

std::string to_json(const Summary& summary);  // schema hone.summary/1, one line

}  // namespace hone::tune
