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

  // Calls body on balanced contiguous slices of [0, extent), one a thread, the caller being thread 0.
  // A region inside a region runs serially on its thread; so does one that comes while another
  // thread's region has the pool.
  void run(hone_body body, void* context, std::int64_t extent);

 private:
  using Word = std::atomic<std::uint32_t>;
  struct Worker;

  static void parallel(const hone_table* table, hone_body body, void* context, std::int64_t extent);
  static void* main_of(void* worker);
  bool start(Worker& worker, const PoolOptions& options);
  void run_slice(int thread) const;
  void wait_while(Word& word, std::uint32_t old, Word& sleepers) const;

  Worker* worker_ = nullptr;  // threads 1, 2, ... of the pool
  int workers_ = 0;
  std::int64_t spin_ns_ = 0;
  bool stopping_ = false;
  // The region; written by the caller before it moves `epoch_` on, read by the workers after.
  hone_body body_ = nullptr;
  void* context_ = nullptr;
  std::int64_t extent_ = 0;

  alignas(64) Word epoch_{0};  // number of the region that runs or ran last
  alignas(64) Word workers_asleep_{0};
  alignas(64) Word caller_asleep_{0};
  alignas(64) std::atomic<bool> taken_{false};
};

}  // namespace hone::runtime
