// This machine as numbers that cost models learn from.
#pragma once
#include "target/descriptor.h"

namespace hone::measure {

// What the target says of itself and what it reaches here: peak and bandwidth of all its cores, peak of
// one. Measured (some tenths of a second) the first time a process asks for a target, then remembered.
// Rates are rounded to three digits. `target` must be one that this machine runs.
target::Descriptor measured_descriptor(const target::Target& target);

}  // namespace hone::measure
