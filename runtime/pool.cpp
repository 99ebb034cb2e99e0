#include "runtime/pool.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace hone::runtime {

struct alignas(64) Pool::Worker {
  Pool* pool;
  int thread;
  pthread_t handle{};
  Word done{0};  // last region whose slice is finished; on a line of its own
};

namespace {

constexpr int kPausesPerLook = 32;  // about 0.3 us on Zen 4 between two looks at the clock

// The thread number of the slice that this thread is running; -1 outside of regions.
thread_local int current_thread = -1;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

std::int64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t old) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
}

// Sequentially consistent on both sides: either the waker sees the sleeper, or the sleeper sees the
// word.
void publish(std::atomic<std::uint32_t>& word, std::uint32_t value,
             std::atomic<std::uint32_t>& sleepers) {
  word.store(value);
  if (sleepers.load() != 0) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

bool pin(pthread_attr_t* attributes, int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (attributes != nullptr) return pthread_attr_setaffinity_np(attributes, sizeof set, &set) == 0;
  return pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
}

// Processors that the pool's threads can be on at the same time.
int processors(std::span<const int> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpus.empty()) {
    sched_getaffinity(0, sizeof set, &set);
  } else {
    for (const int cpu : cpus) CPU_SET(cpu, &set);
  }
  return CPU_COUNT(&set);
}

// Signals of the program go to its own threads; faults of a kernel stay with the thread that made them.
sigset_t signals_kept_off() {
  sigset_t set;
  sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&set, fault);
  return set;
}

}  // namespace

Pool::Pool(const PoolOptions& options) {
  const int wanted = std::max(options.threads, 1);
  spin_ns_ = wanted > processors(options.cpus) ? 0 : options.spin_us * 1000LL;
  const std::size_t size = sizeof(Worker) * static_cast<std::size_t>(wanted - 1);
  worker_ = size == 0 ? nullptr : static_cast<Worker*>(aligned_alloc(alignof(Worker), size));
  for (int thread = 1; worker_ != nullptr && thread < wanted; ++thread) {
    Worker* worker = new (&worker_[thread - 1]) Worker{this, thread};
    if (!start(*worker, options)) break;
    workers_ = thread;
  }
  if (!options.cpus.empty()) pin(nullptr, options.cpus[0]);
}

Pool::~Pool() {
  stopping_ = true;
  publish(epoch_, epoch_.load() + 1, workers_asleep_);
  for (int i = 0; i < workers_; ++i) pthread_join(worker_[i].handle, nullptr);
  free(worker_);
}

bool Pool::start(Worker& worker, const PoolOptions& options) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Set before the thread exists: a new thread inherits its maker's mask and would begin to spin there.
  const auto place = static_cast<std::size_t>(worker.thread);
  const bool placed = place >= options.cpus.size() || pin(&attributes, options.cpus[place]);
  const sigset_t kept_off = signals_kept_off();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &kept_off, &before);
  const bool ok = placed && pthread_create(&worker.handle, &attributes, &Pool::main_of, &worker) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return ok;
}

void* Pool::main_of(void* argument) {
  Worker& self = *static_cast<Worker*>(argument);
  Pool& pool = *self.pool;
  for (std::uint32_t last = 0;; ++last) {
    pool.wait_while(pool.epoch_, last, pool.workers_asleep_);
    if (pool.stopping_) return nullptr;
    pool.run_slice(self.thread);
    publish(self.done, last + 1, pool.caller_asleep_);
  }
}

void Pool::wait_while(Word& word, std::uint32_t old, Word& sleepers) const {
  std::int64_t end = 0;
  while (spin_ns_ > 0) {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (word.load(std::memory_order_acquire) != old) return;
      relax();
    }
    const std::int64_t now = now_ns();
    if (end == 0) end = now + spin_ns_;
    if (now >= end) break;
  }
  sleepers.fetch_add(1);
  while (word.load() == old) sleep_while(word, old);
  sleepers.fetch_sub(1);
}

void Pool::run_slice(int thread) const {
  const std::int64_t share = extent_ / threads();
  const std::int64_t longer = extent_ % threads();  // the first so many slices have one element more
  const std::int64_t begin = thread * share + std::min<std::int64_t>(thread, longer);
  const std::int64_t end = begin + share + (thread < longer ? 1 : 0);
  if (begin == end) return;
  current_thread = thread;
  body_(context_, begin, end, thread);
  current_thread = -1;
}

void Pool::run(hone_body body, void* context, std::int64_t extent) {
  if (extent <= 0) return;
  const bool nested = current_thread >= 0;
  if (nested || workers_ == 0 || extent == 1 || taken_.exchange(true, std::memory_order_acquire)) {
    if (!nested) current_thread = 0;
    body(context, 0, extent, current_thread);
    if (!nested) current_thread = -1;
    return;
  }
  body_ = body;
  context_ = context;
  extent_ = extent;
  const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
  publish(epoch_, epoch, workers_asleep_);
  run_slice(0);
  for (int i = 0; i < workers_; ++i) wait_while(worker_[i].done, epoch - 1, caller_asleep_);
  taken_.store(false, std::memory_order_release);
}

void Pool::parallel(const hone_table* table, hone_body body, void* context, std::int64_t extent) {
  static_cast<Pool*>(table->pool)->run(body, context, extent);
}

}  // namespace hone::runtime
