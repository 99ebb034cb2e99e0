// Candidates of the generic structure: tile sizes in, steps out.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "schedule/step.h"
#include "space/structure.h"
#include "target/target.h"

namespace hone::space {

// The choices for one tiled op. Sizes need not divide the extents.
struct Tiling {
  std::vector<std::int64_t> level1;    // tiles of one parallel chunk, one a spatial axis
  std::vector<std::int64_t> level2;    // register tiles of one cache block, one a spatial axis
  std::vector<std::int64_t> inner;     // the register tile; for the vector axis the number of vectors
  int lanes = 1;                       // of one vector; the vector axis is the last one
  std::vector<std::int64_t> reduce;    // inner part of each reduce axis, inside the cache block
  bool vector_axis_outermost = false;  // walk the vector axis in the outer loops slowest
  std::int64_t unroll = 0;             // auto_unroll_max_step
  std::vector<std::int64_t> panels;    // where each operand of StageRole::panels is packed (panels.h)
  std::int64_t prefetch = 0;           // iterations that StageRole::streamed is asked for early
};

// The choices for a Rows or Attached op.
struct RowTiling {
  int lanes = 1;             // of one vector; a row is not cut into vectors when 1
  std::int64_t vectors = 1;  // computed side by side: a reduction has as many partial results
  std::int64_t rows = 1;     // Rows: of one step, which everything attached computes together
  std::int64_t unroll = 0;   // Rows: auto_unroll_max_step
};

// The choices for a Patches op.
struct PatchTiling {
  int lanes = 1;  // of one vector, which what is computed inside shares
  // Where StageRole::shared asks for blocks: vectors of a block, and blocks of one parallel chunk.
  std::int64_t columns = 1, blocks = 1;
};

struct Choice {
  std::vector<Tiling> tiled;         // one an op with role Tiled, in stage order
  std::vector<RowTiling> rows;       // one an op with role Rows or Attached, in stage order
  std::vector<PatchTiling> patches;  // one an op with role Patches, in stage order
};

// Uniform in [0, n).
using Draw = std::function<std::int64_t(std::int64_t n)>;

schedule::Steps steps_for(const task::Task& task, const std::vector<StageRole>& roles,
                          const Choice& choice);

// What hone emits without tuning: sizes from the target's registers, lanes and caches.
Choice analytic_choice(const task::Task& task, const std::vector<StageRole>& roles,
                       const target::Target& target, int threads);
schedule::Steps analytic_steps(const task::Task& task, const target::Target& target, int threads);
// A random choice within the register budget.
Choice random_choice(const task::Task& task, const std::vector<StageRole>& roles,
                     const target::Target& target, int threads, const Draw& draw);

// The order of a tiled op's axes in each level of its outer loops.
std::vector<int> axis_order(const task::Op& op, bool vector_axis_outermost);
// R*V accumulators, V loaded vectors and one broadcast value must fit.
bool fits_registers(std::int64_t rows, std::int64_t vectors, const target::Target& target);
// The tile that cuts `extent` into as many pieces as `tile` does, but of equal size.
std::int64_t balanced(std::int64_t extent, std::int64_t tile);

}  // namespace hone::space
