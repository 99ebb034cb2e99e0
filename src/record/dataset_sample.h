// A smaller data set of a large one: to see what so many tasks, or so many programs of each, are worth.
#pragma once
#include <cstdint>
#include <string>

#include "record/dataset.h"

namespace hone::record {

struct SampleOptions {
  std::size_t tasks = 0;     // 0: all
  std::size_t per_task = 0;  // programs of each; 0: all. Tasks that have fewer are not drawn
  std::uint64_t seed = 1;
};

struct SampleSummary {
  std::int64_t programs = 0, tasks = 0;
};
// Tasks and programs are drawn at random and stay in their order; a sample of fewer is part of a sample
// of more. UserError when there are not as many.
SampleSummary sample_dataset(const Dataset& set, const SampleOptions& options,
                             const std::string& output);

}  // namespace hone::record
