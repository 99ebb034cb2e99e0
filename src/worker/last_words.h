// What a worker says when a kernel brings it down: a message made in advance, sent by a signal handler.
#pragma once
#include <span>

#include "worker/task_memory.h"

namespace hone::worker {

// From now on a fault or the end of a time limit sends an Outcome that says what happened over `socket`
// and ends the process: after a wild write nothing in it can be trusted.
void install_last_words(int socket);

// Names the memory that the next kernel may touch, so that a fault beside it can be explained.
void explain_faults_in(std::span<const TaskMemory::Region> regions);

// While it lives, the process has `limit_s` seconds.
class TimeLimit {
 public:
  explicit TimeLimit(double limit_s);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
};

}  // namespace hone::worker
