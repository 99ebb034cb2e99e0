// A schedule primitive in the abstract form that all tuners share: a kind, then names and numbers.
//
// What a tuner writes (Ansor's steps, AutoTVM's knobs) is concrete; an adapter takes it here and back
// again without loss, so whatever reads primitives reads every tuner, CPU and GPU alike.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/knobs.h"
#include "schedule/step.h"

namespace hone::feature {

// Changes when a kind or a known word changes its number; new ones go to the end and change nothing.
inline constexpr int kPrimitiveVersion = 1;

// Ansor's steps in the order of schedule::Step, hone's own among them, then what only AutoTVM has. Its
// knobs that split, reorder and annotate are of the same kinds as the steps which do that.
enum class PrimitiveKind : std::uint8_t {
  Unknown,
  Annotate,
  Fuse,
  Pragma,
  Reorder,
  Split,
  FollowSplit,
  FollowFusedSplit,
  StorageAlign,
  ComputeAt,
  ComputeInline,
  ComputeRoot,
  CacheRead,
  CacheWrite,
  Rfactor,
  Prefetch,
  Choose,  // a knob with a value of its own meaning
};
inline constexpr std::size_t kPrimitiveKinds = 17;
std::string_view to_string(PrimitiveKind kind);
constexpr PrimitiveKind kind_of(const schedule::Step& step) {
  return static_cast<PrimitiveKind>(step.index() + 1);
}

// Names are those of stages, iterators and steps, which are numbered, and words of a vocabulary. Text
// is what a knob has for a value that is neither number, flag nor word.
struct Argument {
  enum class Role : std::uint8_t { Stage, Iterator, Step, Number, Word, Flag, Text };
  Role role;
  std::int64_t value;  // of words and text the number in Words
  friend bool operator==(const Argument&, const Argument&) = default;
};

struct Primitive {
  PrimitiveKind kind = PrimitiveKind::Unknown;
  std::vector<Argument> arguments;
  friend bool operator==(const Primitive&, const Primitive&) = default;
};
using Primitives = std::vector<Primitive>;

// The words of primitives. Number 0 stands for all that are not known; those that this version knows
// come next, and further ones as they are met, unless the vocabulary is closed.
class Words {
 public:
  enum class Growth : std::uint8_t { Open, Closed };
  explicit Words(Growth growth = Growth::Open);
  int number(std::string_view word);
  std::string_view word(std::int64_t number) const;  // "" for the unknown
  std::size_t size() const { return words_.size(); }

 private:
  Growth growth_;
  std::vector<std::string> words_;
};

Primitives from_steps(std::span<const schedule::Step> steps, Words& words);
Primitives from_knobs(std::span<const schedule::Knob> knobs, Words& words);
// Empty when one of them is of another tuner, is damaged, or has a word that the vocabulary did not
// take.
std::optional<schedule::Steps> to_steps(std::span<const Primitive> primitives, const Words& words);
std::optional<schedule::Knobs> to_knobs(std::span<const Primitive> primitives, const Words& words);

std::string print(std::span<const Primitive> primitives, const Words& words);  // one a line

}  // namespace hone::feature
