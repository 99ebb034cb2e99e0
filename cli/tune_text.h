// Pieces of text that the display and the report of `hone tune` share.
#pragma once
#include <string>

#include "tune/progress.h"

namespace hone::cli {

std::string print_failures(const tune::Progress& progress);  // "3 (2 run timeout, 1 wrong answer)"
std::string print_split(const tune::TimeSplit& split);  // "run 38 %  build 47 %  search 9 %  score 6 %"
std::string print_speedup(double baseline_s, double best_s);  // "2.56x"; empty when one is unknown
std::string print_trials(int count);                          // "1 trial", "200 trials"

}  // namespace hone::cli
