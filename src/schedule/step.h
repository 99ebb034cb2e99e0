// The step language: Ansor's 14 kinds, as the public record format writes them, and one of hone's own.
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
  friend bool operator==(const Annotate&, const Annotate&) = default;
};  // AN
struct Fuse {
  int stage;
  std::vector<int> iters;
  friend bool operator==(const Fuse&, const Fuse&) = default;
};  // FU
struct Pragma {
  int stage, iter;
  std::string text;
  friend bool operator==(const Pragma&, const Pragma&) = default;
};  // PR
struct Reorder {
  int stage;
  std::vector<int> order;
  friend bool operator==(const Reorder&, const Reorder&) = default;
};  // RE
// Lengths are outer to inner without the outermost; an open length is empty (0 in sketches).
// `extent` is informational (0 when unknown): what is split is the iterator's own extent.
struct Split {  // SP
  int stage, iter;
  std::optional<std::int64_t> extent;
  std::vector<std::optional<std::int64_t>> lengths;
  bool inner_to_outer = true;
  friend bool operator==(const Split&, const Split&) = default;
};
struct FollowSplit {
  int stage, iter, source_step, n_split;
  friend bool operator==(const FollowSplit&, const FollowSplit&) = default;
};  // FSP
struct FollowFusedSplit {  // FFSP
  int stage, iter;
  std::vector<int> source_steps;
  int level;
  bool factor;  // true: a factor (inner size); false: a number of parts
  friend bool operator==(const FollowFusedSplit&, const FollowFusedSplit&) = default;
};
struct StorageAlign {
  int stage, iter, factor, offset;
  friend bool operator==(const StorageAlign&, const StorageAlign&) = default;
};  // SA
struct ComputeAt {
  int stage, target_stage, target_iter;
  friend bool operator==(const ComputeAt&, const ComputeAt&) = default;
};  // CA
struct ComputeInline {
  int stage;
  friend bool operator==(const ComputeInline&, const ComputeInline&) = default;
};  // CI
struct ComputeRoot {
  int stage;
  friend bool operator==(const ComputeRoot&, const ComputeRoot&) = default;
};  // CR
struct CacheRead {
  int stage;
  std::string scope;
  std::vector<int> readers;
  friend bool operator==(const CacheRead&, const CacheRead&) = default;
};  // CHR
struct CacheWrite {
  int stage;
  std::string scope;
  friend bool operator==(const CacheWrite&, const CacheWrite&) = default;
};  // CHW
struct Rfactor {
  int stage, iter, factor_iter;
  friend bool operator==(const Rfactor&, const Rfactor&) = default;
};  // RF
// Asks the caches for what the stage reads of a tensor, some iterations before they come. No value
// depends on it. Ansor has no such step: records with one are hone's own.
struct Prefetch {
  int stage, iter;
  int operand;  // the stage whose result it is
  int iterations;
  friend bool operator==(const Prefetch&, const Prefetch&) = default;
};  // PF

using Step =
    std::variant<Annotate, Fuse, Pragma, Reorder, Split, FollowSplit, FollowFusedSplit, StorageAlign,
                 ComputeAt, ComputeInline, ComputeRoot, CacheRead, CacheWrite, Rfactor, Prefetch>;
using Steps = std::vector<Step>;

int stage_of(const Step& step);
std::string_view code_of(const Step& step);  // "AN", "FU", ...
bool is_ansors(const Steps& steps);          // none of them is hone's own

}  // namespace hone::schedule
