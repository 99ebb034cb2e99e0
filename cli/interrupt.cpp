#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "cli/exit_code.h"

namespace hone::cli {
namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler writes it");

void on_signal(int) {
  if (stop_asked.exchange(true)) _exit(kStopped);
}

void handle_with(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  stop_asked = false;
  handle_with(&on_signal);
}

Interrupt::~Interrupt() { handle_with(SIG_DFL); }

const std::atomic<bool>& Interrupt::asked() const { return stop_asked; }

}  // namespace hone::cli
