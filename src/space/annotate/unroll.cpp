#include "space/annotate/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

namespace hone::space {
namespace {

constexpr std::string_view kPragma = "auto_unroll_max_step$";
constexpr std::array<std::int64_t, 5> kLimits = {0, 16, 64, 512, 1024};

// The axes that the hint names, as bits.
std::uint64_t hinted_axes(const task::Op& op) {
  std::uint64_t bits = 0, bit = 1;
  for (const auto* axes : {&op.axes, &op.reduce_axes}) {
    for (const task::Axis& axis : *axes) {
      const bool is_named = std::ranges::find(op.hints.always_unroll_inner, ir::name_of(axis.var)) !=
                            op.hints.always_unroll_inner.end();
      if (is_named) bits |= bit;
      bit <<= 1;
    }
  }
  return bits;
}

}  // namespace

std::span<const std::int64_t> unroll_limits(Hardware::Kind kind) {
  return std::span(kLimits).first(kind == Hardware::Kind::Cpu ? 4 : 5);
}

schedule::Pragma unroll_pragma(int stage, std::int64_t limit) {
  return {stage, 0, fmt::format("{}{}", kPragma, limit)};
}

std::optional<std::int64_t> unroll_limit(const schedule::Pragma& pragma) {
  if (!pragma.text.starts_with(kPragma)) return std::nullopt;
  std::int64_t limit = 0;
  const char* const end = pragma.text.data() + pragma.text.size();
  const auto read = std::from_chars(pragma.text.data() + kPragma.size(), end, limit);
  return read.ec == std::errc() && read.ptr == end ? std::optional(limit) : std::nullopt;
}

std::vector<int> always_unrolled(const task::Op& op, const std::vector<NamedLoop>& loops) {
  std::vector<int> found;
  const std::uint64_t hinted = hinted_axes(op);
  std::uint64_t seen = 0;
  for (int i = static_cast<int>(loops.size()) - 1; i >= 0 && hinted != 0; --i) {
    const NamedLoop& loop = loops[static_cast<std::size_t>(i)];
    if ((seen | loop.origins) == seen) break;  // an axis again: the innermost tile ends here
    seen |= loop.origins;
    const bool is_one_axis = std::popcount(loop.origins) == 1;
    if (is_one_axis && (loop.origins & hinted) != 0 && !loop.is_annotated) found.push_back(i);
  }
  return found;
}

}  // namespace hone::space
