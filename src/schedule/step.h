// The step language of Ansor: 14 kinds, as the public record format writes them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/program.h"

namespace hone::schedule {

// Every step names its stage by the id it has at the moment the step is applied.
struct Annotate {
  int stage, iter;
  ir::LoopKind annotation;
};  // AN
struct Fuse {
  int stage;
  std::vector<int> iters;
};  // FU
struct Pragma {
  int stage, iter;
  std::string text;
};  // PR
struct Reorder {
  int stage;
  std::vector<int> order;
};  // RE
// Lengths are outer to inner without the outermost; an open length is empty (0 in sketches).
// `extent` is informational (0 when unknown): what is split is the iterator's own extent.
struct Split {  // SP
  int stage, iter;
  std::optional<std::int64_t> extent;
  std::vector<std::optional<std::int64_t>> lengths;
  bool inner_to_outer = true;
};
struct FollowSplit {
  int stage, iter, source_step, n_split;
};  // FSP
struct FollowFusedSplit {  // FFSP
  int stage, iter;
  std::vector<int> source_steps;
  int level;
  bool factor;  // true: a factor (inner size); false: a number of parts
};
struct StorageAlign {
  int stage, iter, factor, offset;
};  // SA
struct ComputeAt {
  int stage, target_stage, target_iter;
};  // CA
struct ComputeInline {
  int stage;
};  // CI
struct ComputeRoot {
  int stage;
};  // CR
struct CacheRead {
  int stage;
  std::string scope;
  std::vector<int> readers;
};  // CHR
struct CacheWrite {
  int stage;
  std::string scope;
};  // CHW
struct Rfactor {
  int stage, iter, factor_iter;
};  // RF

using Step =
    std::variant<Annotate, Fuse, Pragma, Reorder, Split, FollowSplit, FollowFusedSplit, StorageAlign,
                 ComputeAt, ComputeInline, ComputeRoot, CacheRead, CacheWrite, Rfactor>;
using Steps = std::vector<Step>;

int stage_of(const Step& step);
std::string_view code_of(const Step& step);  // "AN", "FU", ...

}  // namespace hone::schedule
