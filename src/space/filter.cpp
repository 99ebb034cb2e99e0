#include "space/filter.h"

#include <algorithm>

namespace hone::space {

bool fits(const Usage& usage, const target::Target& target) {
  constexpr int kOperands = 2;  // a loaded vector and a broadcast value pass through registers as well
  if (usage.accumulators > target.vector_registers - kOperands) return false;
  std::int64_t own_cache = 0;  // the largest that a core has for itself
  for (const target::Cache& cache : target.caches) {
    if (!cache.shared) own_cache = std::max(own_cache, cache.size_bytes);
  }
  return own_cache == 0 || usage.scratch_bytes <= own_cache;
}

}  // namespace hone::space
