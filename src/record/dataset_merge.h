// Several data sets as one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hone::record {

struct MergeSummary {
  std::int64_t programs = 0, tasks = 0;
  std::int64_t duplicates = 0;  // the same measurement in two sets, or twice in one: kept once
};

// In the order given. Sections of features are not taken over. UserError when a set has tasks without a
// machine: times of two machines that nobody can tell apart would become labels of one task.
MergeSummary merge_datasets(const std::vector<std::string>& paths, const std::string& output);

}  // namespace hone::record
