#include "codegen/loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::codegen {

void check_cpu_loop(const ir::For& loop) {
  switch (loop.kind) {
    case ir::LoopKind::Serial:
    case ir::LoopKind::Unrolled:
    case ir::LoopKind::Vectorized:
    case ir::LoopKind::Parallel:
      return;
    default:
      throw UserError(
          fmt::format("a {} loop is for GPU programs, not for CPU code", ir::to_string(loop.kind)));
  }
}

bool is_spread(const ir::For& loop) {
  return loop.kind == ir::LoopKind::Parallel && !ir::is_int(loop.extent, 1);
}

ir::Interval loop_range(const ir::For& loop, const ir::Ranges& ranges) {
  const std::int64_t first = ir::bounds(loop.min, ranges).min;
  return {first, std::max(first, ir::bounds(loop.min + loop.extent - 1, ranges).max)};
}

}  // namespace hone::codegen
