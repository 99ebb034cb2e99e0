// The thread pool on which the parallel loops of kernels run: one a process, made once.
#pragma once
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "runtime/kernel_abi.h"

namespace hone::runtime {

struct PoolOptions {
  int threads = 1;
  // Thread i runs on processor cpus[i] only, the thread that makes the pool being thread 0. Empty: no
  // thread is pinned. Only measuring pins; a program that shares the machine leaves it to the kernel.
  std::span<const int> cpus = {};
  // How long a thread waits awake before it sleeps. Waking a sleeper costs 20-40 us, so it stays awake
  // over the gaps inside one execution of a network and sleeps between executions.
  int spin_us = 500;
};

// Every wait is a bounded spin followed by sleep, so threads that must share a processor make progress
// under any scheduler, SCHED_FIFO included; with more threads than processors nobody spins at all.
// Bodies are plain C: the pool neither throws nor lets anything be thrown through it.
class Pool {
 public:
  explicit Pool(const PoolOptions& options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Fixed at creation. Fewer than asked for when the system refused to start more.
  int threads() const { return workers_ + 1; }

  // What a kernel gets; valid as long as the pool.
  hone_table table() { return {&Pool::parallel, this, threads()}; }

  // Calls body on all of [0, extent), the caller being thread 0. Every thread has a balanced contiguous
  // share, cut into pieces; one that is done with its own takes pieces that others have not begun. So
  // a thread that other programs keep off the processor holds up one piece at most, and none before it
  // begins. A region inside a region runs serially on its thread; so does one that comes while another
  // thread's region has the pool.
  void run(hone_body body, void* context, std::int64_t extent);

 private:
  using Word = std::atomic<std::uint32_t>;
  struct Share;
  struct Worker;

  static void parallel(const hone_table* table, hone_body body, void* context, std::int64_t extent);
  static void* main_of(void* worker);
  bool start(Worker& worker, const PoolOptions& options);
  std::uint32_t run_pieces(std::uint64_t region, int thread) const;
  void run_piece(int share, int piece, int thread) const;
  // Spins for so long, then sleeps, until the word is one for which that is so.
  template <class IsOver>
  void wait_until(IsOver is_over, Word& word, Word& sleepers, std::int64_t spin_ns) const;

  Share* share_ = nullptr;    // one a thread
  Worker* worker_ = nullptr;  // threads 1, 2, ... of the pool
  int workers_ = 0;
  std::int64_t spin_ns_ = 0;
  std::atomic<bool> stopping_{false};
  // The region; written by the caller before it moves `region_` on, read by those who have a piece.
  hone_body body_ = nullptr;
  void* context_ = nullptr;
  std::int64_t extent_ = 0;
  std::uint32_t given_away_ = 0;  // pieces that workers ran, of all regions that are over

  alignas(64) std::atomic<std::uint64_t> region_{0};  // number of the one that runs or ran last
  Word epoch_{0};                                     // changes with it, to wait for
  alignas(64) Word finished_{0};                      // pieces that workers ran, of all regions
  alignas(64) Word workers_asleep_{0};
  alignas(64) Word caller_asleep_{0};
  alignas(64) std::atomic<bool> taken_{false};
};

}  // namespace hone::runtime
