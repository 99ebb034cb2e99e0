// The passes of lower/optimise, one file each.
#pragma once
#include "ir/program.h"
#include "target/target.h"

namespace hone::lower {

ir::Program skip_padding(ir::Program program, const target::Target& target);
// Of all copies of one body, once unrolled, that tiles at borders and tails get.
inline constexpr std::int64_t kMaxSplitStatements = 224;
ir::Program partition(ir::Program program, const target::Target& target);
ir::Program remainders(ir::Program program, const target::Target& target);
ir::Program clip(ir::Program program, const target::Target& target);
ir::Program flatten(ir::Program program, const target::Target& target);
ir::Program fold(ir::Program program, const target::Target& target);
ir::Program vectorise(ir::Program program, const target::Target& target);
inline constexpr std::int64_t kMaxUnrolledStatements =
    256;  // the largest block made from a nest of loops
ir::Program unroll(ir::Program program, const target::Target& target);
// Beside the tile that `promote` holds, for what the arithmetic reads.
inline constexpr int kOperandRegisters = 2;
ir::Program promote(ir::Program program, const target::Target& target);
ir::Program forward(ir::Program program, const target::Target& target);
ir::Program prefetch(ir::Program program, const target::Target& target);
ir::Program order(ir::Program program, const target::Target& target);
// Vectors of a small buffer that `registers` takes out of memory: some may be dead before others live.
inline std::int64_t max_held_vectors(const target::Target& target) {
  return 2 * std::int64_t{target.vector_registers};
}
ir::Program registers(ir::Program program, const target::Target& target);

}  // namespace hone::lower
