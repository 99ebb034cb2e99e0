// A candidate of a template of AutoTVM's: a value for each of the template's knobs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hone::schedule {

enum class KnobKind : std::uint8_t {
  Split,     // numbers: sizes outer to inner, -1 where the extent decides
  Reorder,   // numbers: a permutation of axes
  Annotate,  // words: one an axis
  Number,    // one number
  Flag,      // one number, 0 or 1
  Word,      // one word
  Other      // one word: JSON that is none of these
};

struct Knob {
  std::string name;
  KnobKind kind = KnobKind::Number;
  std::vector<std::int64_t> numbers;
  std::vector<std::string> words;
  friend bool operator==(const Knob&, const Knob&) = default;
};
using Knobs = std::vector<Knob>;

}  // namespace hone::schedule
