// Where a load or a store goes: a linear element offset, and the step from lane to lane.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ir/buffer.h"
#include "ir/expr.h"
#include "ir/program.h"
#include "ir/simplify.h"

namespace hone::codegen {

struct Access {
  ir::Linear offset;             // of the first lane, in elements from the buffer's start
  std::int64_t lane_stride = 0;  // in elements; zero for a scalar
};

// Empty when the lanes do not lie at one constant distance from each other.
std::optional<Access> find_access(const ir::BufferNode& buffer, const std::vector<ir::Expr>& index,
                                  const ir::Ranges& ranges);
// What a prefetch fetches. UserError for any other intrinsic: no CPU has them.
Access find_prefetch(const ir::Intrinsic& intrinsic, const ir::Ranges& ranges);
ir::Linear shifted(ir::Linear offset, std::int64_t elements);

// One lane of a vector expression as a scalar expression. Vectors that cannot be taken apart
// (variables, loads from buffers of vectors) are handed to `extract`, which gives the scalar for them.
using Extract = std::function<ir::Expr(const ir::Expr& vector, int lane)>;
ir::Expr lane_of(const ir::Expr& e, int lane, const Extract& extract);

}  // namespace hone::codegen
