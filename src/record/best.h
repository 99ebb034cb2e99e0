// The fastest trial of each workload among many logs.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/record.h"

namespace hone::record {

struct BestRecords {
  std::map<std::string, Record> by_workload;
  std::int64_t others = 0;    // valid, but of another target
  std::int64_t problems = 0;  // lines that cannot be read
};

// Of the valid records with this target. A path is a log or the folder of a run; UserError when it
// cannot be read.
BestRecords best_records(const std::vector<std::string>& paths, const std::string& target);

}  // namespace hone::record
