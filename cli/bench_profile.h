// Where the time of an execution goes.
#pragma once
#include <string>

#include "cli/bench_result.h"

namespace hone::cli {

// A line a step, the longest first, and what lies between them.
std::string profile_text(const BenchResult& result, int threads);

}  // namespace hone::cli
