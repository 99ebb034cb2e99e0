// TLP's rows: a program as a table of numbers, one row a step, without replaying it.
//
// A row is the step's kind as one of 11 flags, then its arguments as they stand in the record; both
// directions are cut to a fixed size. Bit for bit what the paper's authors trained on (tlp_tenset.md
// 2).
#pragma once
#include <optional>
#include <span>

#include "schedule/step.h"
#include "space/hardware.h"

namespace hone::feature {

inline constexpr int kTlpVersion = 1;
inline constexpr int kTlpKinds = 11;

// CPUs and GPUs number kinds and unroll pragmas differently.
struct TlpFormat {
  space::Hardware::Kind vocabulary = space::Hardware::Kind::Cpu;
  int steps = 25;
  int width = 22;

  std::size_t size() const { return static_cast<std::size_t>(steps) * static_cast<std::size_t>(width); }
  friend bool operator==(const TlpFormat&, const TlpFormat&) = default;
};
TlpFormat tlp_cropped(space::Hardware::Kind vocabulary);  // the paper's: 25 x 22 and 40 x 20
TlpFormat tlp_whole(space::Hardware::Kind vocabulary);    // no program of TenSet's is longer or wider

// Writes format.size() numbers. What does not fit is cut off at the end; what is not there is zero. A
// kind that the vocabulary lacks has no flag, and a word that it lacks is 0.
void tlp_rows(std::span<const schedule::Step> steps, const TlpFormat& format, float* to);
// The same of many programs, one behind the other.
void tlp_rows(std::span<const schedule::Steps> programs, const TlpFormat& format, int threads,
              float* to);

// The steps again, of rows from which nothing was cut off; empty when one is not in the vocabulary.
// Padding cannot be told from a last zero: a split must be inner to outer, as all of Ansor's are.
std::optional<schedule::Steps> steps_of_tlp_rows(std::span<const float> rows, const TlpFormat& format);

}  // namespace hone::feature
