// Pieces of text that the display and the report of `hone tune` share.
#pragma once
#include <string>
#include <vector>

#include "tune/progress.h"

namespace hone::cli {

std::string print_failures(const tune::Progress& progress);  // "3 (2 run timeout, 1 wrong answer)"
std::string print_split(const tune::TimeSplit& split);  // "run 38 %  build 47 %  search 9 %  score 6 %"
std::string print_speedup(double baseline_s, double best_s);  // "2.56x"; empty when one is unknown
std::string print_trials(int count);                          // "1 trial", "200 trials"

std::string print_drift(double drift);            // a line of the report
std::string print_note(const std::string& text);  // a line for stderr

// On stderr: what of a run's log is not used.
void say_unused(const std::string& torn_line, int stale, const std::vector<std::string>& unread);

}  // namespace hone::cli
