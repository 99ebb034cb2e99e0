// Sets of several machines brought down to the programs that all of them measured.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hone::record {

struct AlignSummary {
  std::int64_t programs = 0, tasks = 0;  // that all sets have
  std::vector<std::int64_t> left_out;    // of each set: what another lacks, or what it has twice
};

// Writes each set to the output of the same number, its programs in the order of the first set. A
// program is known by its workload and its steps; of one that was measured twice the first counts.
// Failed ones stay, and all repeats. UserError when no program is in all of them.
AlignSummary align_sets(const std::vector<std::string>& sets, const std::vector<std::string>& outputs);

}  // namespace hone::record
