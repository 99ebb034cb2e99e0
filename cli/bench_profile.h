// Where the time of an execution goes.
#pragma once
#include <string>

#include "cli/bench_result.h"

namespace hone::cli {

// A line a step, the longest first, with shares of the machine's peak and bandwidth; then what the
// steps do not explain: the time between them, and what tuned kernels take longer here than alone.
std::string profile_text(const BenchResult& result);

}  // namespace hone::cli
