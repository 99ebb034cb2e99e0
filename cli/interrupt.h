// Ctrl-C: once to stop in good order, twice to stop at once.
#pragma once
#include <atomic>

namespace hone::cli {

// While it lives, the first SIGINT or SIGTERM only sets a flag and the second ends the program with
// kStopped. Workers end with the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& asked() const;
};

}  // namespace hone::cli
