#include "worker/last_words.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "worker/channel.h"

namespace hone::worker {
namespace {

using Frame = std::vector<std::byte>;

struct Explained {
  const runtime::GuardedBuffer* buffer;
  Frame out_of_bounds, written_input;
};

constexpr std::array<int, 5> kFaults = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};

// All that the handlers need, made before they are needed: they can neither allocate nor format.
struct Words {
  int socket = -1;
  std::array<Frame, kFaults.size()> fault;
  Frame timeout;
  std::vector<Explained> explained;
  std::array<std::byte, 64 << 10> stack;  // for faults that come of a stack overflow
};

Words& words() {
  static Words instance;
  return instance;
}

Frame last_frame(Status status, std::string message) {
  Outcome outcome;
  outcome.status = status;
  outcome.ends = true;
  outcome.message = std::move(message);
  return Channel::frame(outcome);
}

[[noreturn]] void say_and_end(const Frame& frame) {
  const std::byte* next = frame.data();
  std::size_t left = frame.size();
  while (left > 0) {
    const ssize_t n = write(words().socket, next, left);
    if (n <= 0) break;
    next += n;
    left -= static_cast<std::size_t>(n);
  }
  _exit(1);
}

void on_fault(int signal, siginfo_t* info, void*) {
  if (signal == SIGSEGV || signal == SIGBUS) {
    for (const Explained& region : words().explained) {
      if (region.buffer->guards(info->si_addr)) say_and_end(region.out_of_bounds);
      if (region.buffer->holds(info->si_addr)) say_and_end(region.written_input);
    }
  }
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (kFaults[i] == signal) say_and_end(words().fault[i]);
  }
  _exit(1);
}

void on_alarm(int) { say_and_end(words().timeout); }

void set_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

void install_last_words(int socket) {
  Words& all = words();
  all.socket = socket;
  const stack_t stack{all.stack.data(), 0, all.stack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = &on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    all.fault[i] = last_frame(Status::Runtime, fmt::format("crashed: {}", strsignal(kFaults[i])));
    sigaction(kFaults[i], &action, nullptr);
  }
  struct sigaction alarm{};
  alarm.sa_handler = &on_alarm;
  alarm.sa_flags = SA_ONSTACK;
  sigaction(SIGALRM, &alarm, nullptr);
}

void explain_faults_in(std::span<const TaskMemory::Region> regions) {
  std::vector<Explained>& explained = words().explained;
  explained.clear();
  for (const TaskMemory::Region& region : regions) {
    explained.push_back(
        {region.buffer,
         last_frame(Status::Runtime, "accessed memory out of bounds, beside " + region.name),
         last_frame(Status::Runtime, "wrote to its input " + region.name)});
  }
}

TimeLimit::TimeLimit(double limit_s) {
  check(limit_s > 0, "a time limit is positive");
  words().timeout = last_frame(Status::RunTimeout, fmt::format("still running after {} s", limit_s));
  set_timer(limit_s);
}

TimeLimit::~TimeLimit() { set_timer(0); }

}  // namespace hone::worker
