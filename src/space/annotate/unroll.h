// What Ansor unrolls: loops that an op's author named, and by pragma whatever a limit allows.
#pragma once
#include <array>
#include <optional>
#include <span>

#include "space/annotate/outline.h"

namespace hone::space {

// Limits that the pragma is drawn from.
std::span<const std::int64_t> unroll_limits(Hardware::Kind kind);
schedule::Pragma unroll_pragma(int stage, std::int64_t limit);
std::optional<std::int64_t> unroll_limit(const schedule::Pragma& pragma);  // empty: another pragma

// A loop as the hint looks at it.
struct NamedLoop {
  std::uint64_t origins;  // axes that it comes from
  bool is_annotated;
};
// The loops of the innermost tile that the hint always_unroll_inner names, innermost first.
std::vector<int> always_unrolled(const task::Op& op, const std::vector<NamedLoop>& loops);

}  // namespace hone::space
