// Programs of a data set as scorers see them, in hone's memory and as a set of their own.
#pragma once
#include <string>
#include <vector>

#include "feature/section_rows.h"
#include "score/sample.h"

namespace hone::bench {

struct ScoredPrograms {
  feature::SectionInput input;  // without programs
  std::vector<std::string> keys;
  std::vector<std::uint32_t> task_of;
  std::vector<schedule::Steps> steps;
  std::vector<float> best_s;

  std::size_t size() const { return steps.size(); }
};

// The first `n` programs that work, of tasks whose computation is known. UserError when there are none.
ScoredPrograms read_programs(const std::string& set, std::size_t n);

// As search makes them, one replay a program.
std::vector<score::Sample> samples_of(const ScoredPrograms& programs,
                                      const std::vector<std::string>& views, int threads);

// The same rows for programs that read sets.
void write_set(const ScoredPrograms& programs, const std::vector<std::string>& views,
               const std::vector<score::Sample>& samples, const std::string& path);

}  // namespace hone::bench
