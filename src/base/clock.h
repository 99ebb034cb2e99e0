// Clocks as seconds.
#pragma once
#include <ctime>

namespace hone {

inline double read_clock_s(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

inline double now_s() { return read_clock_s(CLOCK_MONOTONIC); }
// Time that the calling thread has had a processor: other programs do not lengthen it.
inline double thread_cpu_s() { return read_clock_s(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace hone
