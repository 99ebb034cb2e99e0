// The best time over the trials of a run, from times that were measured again together.
#pragma once
#include <vector>

#include "tune/meter.h"
#include "tune/trial.h"

namespace hone::bench {

struct BestSoFar {
  struct Point {
    int trials;      // so many had been made
    double best_us;  // of them
  };
  std::vector<Point> improvements;  // in order, each better than the one before

  double after(int trials) const;  // microseconds; infinite before the first right answer
  double best_us() const;          // in the end; infinite when there is none
  // The least number of trials with which `us` is reached; 0 when it never is.
  int trials_to(double us) const;
};

// One curve a run of the same task. Every trial that was the best of its run when it was made, and the
// fastest few at the marks, are measured again in turn with those of all other runs: what the search
// measured once may be luck. Slow beginnings keep the time that the search measured.
std::vector<BestSoFar> best_so_far(const std::vector<std::vector<tune::Trial>>& runs,
                                   tune::Meter& meter);

// After how many trials runs are compared.
inline constexpr int kMarks[] = {16, 64, 100, 256, 1000};

}  // namespace hone::bench
