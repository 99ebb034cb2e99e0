#include "artefact/on_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "base/error.h"
#include "runtime/shared_pool.h"

namespace hone::artefact {
namespace {

struct Job {
  std::size_t n;
  const std::function<void(std::size_t)>& work;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex = {};
  std::exception_ptr failure = nullptr;

  void run() {
    try {
      for (std::size_t i = next++; i < n; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (failure == nullptr) failure = std::current_exception();
      next = n;
    }
  }
};

}  // namespace

void on_pool(std::size_t n, int threads, const std::function<void(std::size_t)>& work) {
  const runtime::PoolUse pool;
  if (!pool.ok()) throw UserError("there is not enough memory for threads");
  Job job{n, work};
  const auto body = [](void* given, std::int64_t begin, std::int64_t end, std::int64_t /*thread*/) {
    for (std::int64_t i = begin; i < end; ++i) static_cast<Job*>(given)->run();
  };
  const hone_table table = pool.table();
  table.parallel(&table, body, &job, std::max(threads, 1));
  if (job.failure != nullptr) std::rethrow_exception(job.failure);
}

}  // namespace hone::artefact
