// One record out of a log, as `--record FILE[:LINE]` names it.
#pragma once
#include <string>

#include "record/record.h"

namespace hone::record {

// All three throw UserError when there is no such record.

// The record on line `line` (from 1).
Record load_line(const std::string& path, std::int64_t line);
// The valid record with the smallest time; of this workload only, where one is named.
Record load_best(const std::string& path, const std::string& workload_key = {});
// FILE:LINE is that line, FILE the best of the file.
Record load(const std::string& reference, const std::string& workload_key = {});

}  // namespace hone::record
