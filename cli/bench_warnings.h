// Why a figure may not be trusted, and what to do about it.
#pragma once
#include <string>
#include <vector>

#include "cli/bench_result.h"

namespace hone::cli {

std::vector<Warning> warnings_of(const BenchResult& result);

// `others`: share of the processors that other processes had meanwhile; `governor`: of the clock.
std::vector<Warning> warnings_of_machine(double others, const std::string& governor);

}  // namespace hone::cli
