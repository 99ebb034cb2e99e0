// The generic structure of a task's schedules: which ops disappear, which are tiled, which ride along.
#pragma once
#include <vector>

#include "task/analysis.h"
#include "task/task.h"

namespace hone::space {

enum class Role : std::uint8_t {
  Placeholder,
  Inline,    // computed where it is read
  Tiled,     // multi-level tiling with a register tile; its epilogue follows its splits
  Epilogue,  // the elementwise consumer that a tiled op is computed in
  Rows,  // a reduction along rows or an elementwise op: outer axes in parallel, inner axis in vectors
  Attached,  // computed row by row inside `target`
  Patches,   // works on small patches of constant size: a patch is unrolled, the last axis in vectors
  InPatch,   // computed patch by patch inside `target`
};

struct StageRole {
  Role role = Role::Placeholder;
  // Tiled: its Epilogue, -1 when it writes the result itself; Attached: the Rows op; InPatch: the
  // Patches op.
  int target = -1;
  // Patches: the pieces that index arithmetic cuts each axis into, 1 where it leaves the axis whole; of
  // an axis that belongs to one patch its extent.
  std::vector<std::int64_t> pieces = {};
  // Tiled: ops whose results it may read from panels (panels.h).
  std::vector<int> panels = {};
  int streamed = -1;  // Tiled: the op whose result it may prefetch (prefetch.h)
  // The op in whose first loops this one is computed (blocks.h), -1 being none, and which of them: the
  // parallel one, or that of the blocks inside.
  int around = -1, around_loop = 0;
  // Of an op around others: the axes along which these can be computed in parts; otherwise empty.
  std::vector<bool> shared = {};
};

// Whether all of the axis belongs to one patch: it walks over constant matrices, as its op's author
// said.
bool is_patch_axis(const task::Op& op, const task::Axis& axis);

// One role an op, in stage order.
std::vector<StageRole> structure(const task::Task& task, const task::Analysis& analysis);

}  // namespace hone::space
