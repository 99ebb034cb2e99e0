// The decisions of a candidate: a short list of integers, each with a meaning of its own.
#pragma once
#include <cstdint>
#include <vector>

#include "base/random.h"

namespace hone::space {

// Entry 0 says which family the candidate is of; the family knows what the others mean: a tile size, a
// number of fused loops, an unroll limit, a place. No entry counts along a list that depends on others,
// so equal entries mean the same whatever stands beside them.
using Decisions = std::vector<std::int64_t>;

inline std::uint64_t hash(const Decisions& decisions) {
  std::uint64_t bits = decisions.size();
  for (const std::int64_t entry : decisions) {
    bits = mix_bits(bits ^ mix_bits(static_cast<std::uint64_t>(entry) + 1));
  }
  return bits;
}

// Where a stage is computed, as one entry.
struct Place {
  enum class Kind : std::uint8_t { AsSketched, Root, Inline, At };
  Kind kind = Kind::AsSketched;
  int stage = -1, iter = -1;  // Kind::At: ids in the state that the sketch leaves behind

  friend bool operator==(const Place&, const Place&) = default;
};
std::int64_t to_entry(const Place& place);
Place place_from(std::int64_t entry);  // whatever the number is; a wrong one names a stage that is not

}  // namespace hone::space
