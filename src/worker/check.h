// Is an answer right? Compares outputs with what they ought to be.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "worker/protocol.h"

namespace hone::worker {

// A value is right when it is within tolerance * max(|expected|, root mean square of all expected
// values): sums in another order lose digits of the terms, not of a result that happens to be small.
// Not-a-number is right where it is expected, and so is infinity.
//
// Both return the first fault as a sentence, or an empty string.
std::string compare_samples(const BufferSpec& spec, const std::byte* actual,
                            std::span<const Sample> samples, double tolerance);
std::string compare_all(const BufferSpec& spec, const std::byte* actual, const std::byte* expected,
                        double tolerance);

}  // namespace hone::worker
