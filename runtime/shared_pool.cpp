#include "runtime/shared_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include <algorithm>
#include <new>

#include "runtime/error.h"

namespace hone::runtime {
namespace {

constexpr int kMostThreads = 1024;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Pool* pool = nullptr;  // never destroyed at the end of the process, when models may still be running
int users = 0;
int wanted = 0;  // 0: all processors

class Lock {
 public:
  Lock() { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

int threads_to_start() {
  if (wanted > 0) return wanted;
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(CPU_COUNT(&set), 1) : 1;
}

// A child of fork has no thread but the one that called it: it makes a pool of its own.
void forget_pool() {
  pool = nullptr;
  users = 0;
  pthread_mutex_init(&mutex, nullptr);
}

Pool* make_pool() {
  static bool told = false;
  if (!told) told = pthread_atfork(nullptr, nullptr, &forget_pool) == 0;
  void* memory = aligned_alloc(alignof(Pool), sizeof(Pool));
  return memory == nullptr ? nullptr : new (memory) Pool({.threads = threads_to_start()});
}

}  // namespace

PoolUse::PoolUse() {
  const Lock lock;
  if (pool == nullptr) pool = make_pool();
  pool_ = pool;
  users += ok() ? 1 : 0;
}

PoolUse::~PoolUse() {
  const Lock lock;
  users -= ok() ? 1 : 0;
}

int pool_threads() {
  const Lock lock;
  return pool != nullptr ? pool->threads() : threads_to_start();
}

hone_status set_pool_threads(int threads) {
  if (threads < 0 || threads > kMostThreads) {
    return fail(HONE_WRONG_USE, "0 asks for one thread a processor", "%d is no number of threads",
                threads);
  }
  const Lock lock;
  if (users > 0) {
    return fail(HONE_BUSY, "set the number of threads before models run",
                "the number of threads cannot change while a model is running");
  }
  wanted = threads;
  if (pool == nullptr || pool->threads() == threads_to_start()) return HONE_OK;
  pool->~Pool();
  free(pool);
  pool = nullptr;
  return HONE_OK;
}

}  // namespace hone::runtime
