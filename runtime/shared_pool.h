// The one thread pool of a process, shared by all models that run in it.
#pragma once
#include "runtime/hone.h"
#include "runtime/pool.h"

namespace hone::runtime {

// Has the pool as long as it lives; the pool is made by the first that wants it.
class PoolUse {
 public:
  PoolUse();
  ~PoolUse();
  PoolUse(const PoolUse&) = delete;
  PoolUse& operator=(const PoolUse&) = delete;

  bool ok() const { return pool_ != nullptr; }  // false: there is no memory for a pool
  hone_table table() const { return pool_->table(); }

 private:
  Pool* pool_;
};

int pool_threads();  // that the pool has or, before it is made, will be asked for
// For the pool that is made next; 0: all processors that the process may use. HONE_BUSY while the
// present one is in use.
hone_status set_pool_threads(int threads);

}  // namespace hone::runtime
