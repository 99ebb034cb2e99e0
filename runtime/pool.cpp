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

// Pieces of a thread's share that were begun, counted over all regions: those of region r have the
// numbers from r * kPieces on. So nothing is reset, and a thread that comes when its region is long
// over finds nothing of it to do.
struct alignas(64) Pool::Share {
  static constexpr std::uint64_t kPieces = 2;

  std::atomic<std::uint64_t> begun{0};

  // The next piece of this region that nobody has begun, now the caller's; -1: there is none.
  int begin(std::uint64_t region) {
    std::uint64_t now = begun.load(std::memory_order_relaxed);
    while (now < (region + 1) * kPieces) {
      const std::uint64_t piece = std::max(now, region * kPieces);
      if (begun.compare_exchange_weak(now, piece + 1, std::memory_order_relaxed))
        return static_cast<int>(piece - region * kPieces);
    }
    return -1;
  }
};

struct Pool::Worker {
  Pool* pool;
  int thread;
  pthread_t handle{};
};

namespace {

// How long the caller waits awake for pieces that others are running: as long as it takes to wake up.
// On a processor that it leaves, a thread that was kept off another one goes on.
constexpr std::int64_t kCallerSpin_ns = 50'000;
constexpr int kPausesPerLook = 32;  // about 0.3 us on Zen 4 between two looks at the clock

// The thread number of the piece that this thread is running; -1 outside of regions.
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
void publish(std::atomic<std::uint32_t>& word, std::uint32_t more,
             std::atomic<std::uint32_t>& sleepers) {
  word.fetch_add(more);
  if (sleepers.load() != 0) syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

template <class T>
T* allocate(int count) {
  return static_cast<T*>(aligned_alloc(alignof(T), sizeof(T) * static_cast<std::size_t>(count)));
}

// Part `number` of a range that is cut into `parts`, the first ones being longer by one if need be.
struct Range {
  std::int64_t begin, end;

  Range part(std::int64_t number, std::int64_t parts) const {
    const std::int64_t size = (end - begin) / parts, longer = (end - begin) % parts;
    const std::int64_t from = begin + number * size + std::min(number, longer);
    return {from, from + size + (number < longer ? 1 : 0)};
  }
};

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
  share_ = allocate<Share>(wanted);
  worker_ = allocate<Worker>(wanted);
  const bool has_memory = share_ != nullptr && worker_ != nullptr;
  for (int thread = 0; has_memory && thread < wanted; ++thread) {
    new (&share_[thread]) Share;
    new (&worker_[thread]) Worker{this, thread};
  }
  for (int thread = 1; has_memory && thread < wanted && start(worker_[thread], options); ++thread)
    workers_ = thread;
  if (!options.cpus.empty()) pin(nullptr, options.cpus[0]);
}

Pool::~Pool() {
  stopping_ = true;
  publish(epoch_, 1, workers_asleep_);
  for (int thread = 1; thread <= workers_; ++thread) pthread_join(worker_[thread].handle, nullptr);
  free(worker_);
  free(share_);
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
  const Worker& self = *static_cast<Worker*>(argument);
  Pool& pool = *self.pool;
  for (std::uint32_t last = 0;;) {
    pool.wait_until([&](std::uint32_t epoch) { return epoch != last; }, pool.epoch_,
                    pool.workers_asleep_, pool.spin_ns_);
    last = pool.epoch_.load(std::memory_order_acquire);
    if (pool.stopping_) return nullptr;
    const std::uint64_t region = pool.region_.load(std::memory_order_acquire);
    const std::uint32_t pieces = pool.run_pieces(region, self.thread);
    if (pieces > 0) publish(pool.finished_, pieces, pool.caller_asleep_);
  }
}

template <class IsOver>
void Pool::wait_until(IsOver is_over, Word& word, Word& sleepers, std::int64_t spin_ns) const {
  std::int64_t end = 0;
  while (spin_ns > 0) {
    for (int i = 0; i < kPausesPerLook; ++i) {
      if (is_over(word.load(std::memory_order_acquire))) return;
      relax();
    }
    const std::int64_t now = now_ns();
    if (end == 0) end = now + spin_ns;
    if (now >= end) break;
  }
  sleepers.fetch_add(1);
  for (std::uint32_t now = word.load(); !is_over(now); now = word.load()) sleep_while(word, now);
  sleepers.fetch_sub(1);
}

// The pieces of its own share first, then what is left of the others'. Returns how many it ran.
std::uint32_t Pool::run_pieces(std::uint64_t region, int thread) const {
  std::uint32_t pieces = 0;
  for (int turn = 0; turn < threads(); ++turn) {
    const int share = (thread + turn) % threads();
    for (int piece; (piece = share_[share].begin(region)) >= 0; ++pieces) {
      run_piece(share, piece, thread);
    }
  }
  return pieces;
}

void Pool::run_piece(int share, int piece, int thread) const {
  const Range range = Range{0, extent_}.part(share, threads()).part(piece, Share::kPieces);
  if (range.begin == range.end) return;
  current_thread = thread;
  body_(context_, range.begin, range.end, thread);
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
  const std::uint64_t region = region_.load(std::memory_order_relaxed) + 1;
  region_.store(region, std::memory_order_release);
  publish(epoch_, 1, workers_asleep_);
  const std::uint32_t all = static_cast<std::uint32_t>(threads()) * Share::kPieces;
  given_away_ += all - run_pieces(region, 0);
  wait_until([&](std::uint32_t finished) { return finished == given_away_; }, finished_, caller_asleep_,
             std::min(spin_ns_, kCallerSpin_ns));
  taken_.store(false, std::memory_order_release);
}

void Pool::parallel(const hone_table* table, hone_body body, void* context, std::int64_t extent) {
  static_cast<Pool*>(table->pool)->run(body, context, extent);
}

}  // namespace hone::runtime
