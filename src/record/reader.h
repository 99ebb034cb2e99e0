// Whole logs, record by record; what cannot be read is reported with its line and never stops the rest.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "record/record.h"

namespace hone::record {

struct Problem {
  std::int64_t line;  // from 1
  std::string reason;
};

struct ReadSummary {
  std::int64_t lines = 0;
  std::int64_t records = 0;
  std::int64_t valid = 0;     // records measured without an error
  std::int64_t comments = 0;  // lines that are no records
  std::int64_t problems = 0;
  std::int64_t bytes = 0;  // of text, newlines not counted
};

using OnRecord = std::function<void(Record&& record, std::int64_t line)>;
using OnProblem = std::function<void(const Problem& problem)>;

// A plain or gzip file, in memory that does not grow with it. Throws UserError when it cannot be
// opened.
ReadSummary read_records(const std::string& path, const OnRecord& on_record,
                         const OnProblem& on_problem);
ReadSummary read_records_of_text(std::string_view text, const OnRecord& on_record,
                                 const OnProblem& on_problem);

}  // namespace hone::record
