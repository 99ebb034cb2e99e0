// Whether a data set is whole, and whether two hold the same programs line by line.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "record/dataset.h"

namespace hone::record {

using OnFault = std::function<void(const std::string& reason)>;

// Reads all of it: checksums of sections, and that every program can be decoded and agrees with its
// columns. Calls `on_fault` for each thing that is wrong and returns how many there are.
std::int64_t check_dataset(const Dataset& set, const OnFault& on_fault);

// Sets that were measured on several machines from one list of programs have the same program at the
// same place of each workload; those that learn from both at once may rely on it.
struct Alignment {
  std::int64_t workloads = 0;   // that both have
  std::int64_t aligned = 0;     // programs that are at the same place in both
  std::int64_t misaligned = 0;  // places with two different programs
  std::int64_t missing = 0;     // places that only one of them has
};
// Names each misaligned place to `on_fault`.
Alignment align_datasets(const Dataset& a, const Dataset& b, const OnFault& on_fault);

}  // namespace hone::record
