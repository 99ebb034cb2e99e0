// How far a run is: all that a display shows.
#pragma once
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tune/trial.h"

namespace hone::tune {

// Seconds of each kind of work. They overlap, so that their sum may exceed the time that passed.
struct TimeSplit {
  double search_s = 0, score_s = 0, build_s = 0, run_s = 0;

  double total_s() const { return search_s + score_s + build_s + run_s; }
};

struct Failures {
  int count = 0;
  std::string example;  // what the first of them said
};

inline constexpr std::size_t kStatuses = 9;

struct Progress {
  int trials = 0;                     // of the run, those of earlier sessions included
  int resumed = 0;                    // those
  int wanted = 0;                     // see Options::trials
  double at_s = 0;                    // seconds of tuning, those of earlier sessions included
  double session_s = 0;               // of this session
  double budget_s = 0;                // of this session; infinite when there is none
  double baseline_s = record::kNone;  // what hone emits untuned
  double best_s = std::numeric_limits<double>::infinity();
  int best_trial = -1;
  std::array<Failures, kStatuses> failures;  // by status
  TimeSplit split;
  record::RoundNote round;  // the last one that ended
  std::string doing;        // what is being waited for

  int failed() const;
  void count(const Trial& trial);
  void count(const record::RoundNote& ended);
};

std::string to_json(const TimeSplit& split);
std::string failures_json(const Progress& progress);  // by status: how many, and an example

}  // namespace hone::tune
