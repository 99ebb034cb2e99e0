// An earlier result of `hone bench`, to compare with.
#pragma once
#include <string>
#include <vector>

#include "cli/bench_result.h"

namespace hone::cli {

// What `bench --export FILE.json` or `bench --json` wrote: threads, names and times. Throws UserError.
BenchReport read_results(const std::string& file);

// Each result with the earlier one of the same file name, or the only one with the only one. A
// regression is slower by more than the share `fail_over` beyond the noise. Throws UserError when there
// is nothing to compare with.
std::vector<Comparison> compare(const BenchReport& earlier, const BenchReport& report,
                                double fail_over);

}  // namespace hone::cli
