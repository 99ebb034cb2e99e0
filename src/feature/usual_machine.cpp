#include "feature/usual_machine.h"

#include <algorithm>

#include "feature/store_columns.h"

namespace hone::feature {

target::Target usual_machine(const space::Hardware& hardware) {
  target::Target target;
  target.cores = std::max(1, hardware.cores);
  target.vector_bits = std::clamp(hardware.vector_bytes, 16, 64) * 8;
  target.vector_registers = target.vector_bits == 512 ? 32 : 16;
  for (std::size_t c = 0; c < kCacheBytes.size(); ++c)
    target.caches.push_back({static_cast<int>(c) + 1, kCacheBytes[c], 8, hardware.cache_line_bytes,
                             c + 1 == kCacheBytes.size()});
  return target;
}

}  // namespace hone::feature
