// What a run tells whoever listens.
#pragma once
#include <functional>
#include <string>
#include <variant>

#include "tune/progress.h"
#include "tune/summary.h"

namespace hone::tune {

struct Started {
  std::string task, target, folder, compiler;
  std::string machine;  // the target in a few words
  std::string scorer;   // see scorer_name
  double flop = 0;
  std::size_t starts = 0;           // candidates to begin with, found by earlier runs
  std::string dropped;              // a torn last line of the log that was cut off; mostly empty
  int stale = 0;                    // trials of another compiler, which do not count
  std::vector<std::string> unread;  // lines of the log that could not be read, and why
};
struct TrialEnded {
  int number = 0;
  const Trial& trial;
  bool is_best = false;
};
struct RoundEnded {
  record::RoundNote round;
};
struct FinalsEnded {
  const Finals& finals;
};
struct Ended {
  const Summary& summary;
};
// Something that a user ought to know and that ends nothing.
struct Noted {
  std::string text;
};
struct Tick {};  // several times a second, so that a display can show that time passes

using Event = std::variant<Started, TrialEnded, RoundEnded, FinalsEnded, Ended, Noted, Tick>;
// Called on the thread that called tune().
using Listener = std::function<void(const Event& event, const Progress& progress)>;

// One line of JSON, schema hone.tune/1; empty for a tick.
std::string to_json(const Event& event, const Progress& progress);

}  // namespace hone::tune
