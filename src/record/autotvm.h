// A measured candidate as one line of AutoTVM's log format, version 0.2.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/knobs.h"

namespace hone::record {

struct KnobRecord {
  std::string workload_key;  // ["template", [arguments], {named arguments}], as the line has it
  std::string target;
  std::int64_t index = 0;  // of the candidate in the template's space
  std::string code_hash;   // empty: null
  schedule::Knobs knobs;
  std::vector<double> costs;  // seconds, one a repeat; failed trials carry 1e9
  int error = 0;              // 0 ok, 1-8 what went wrong, as in auto_scheduler's logs
  double all_cost = 0;        // seconds of building and running
  double timestamp = 0;       // seconds since 1970
  std::string tvm_version;    // empty: not stated
  std::string spelling;       // as that of Record: mostly empty
};

// Whether a line is a record of AutoTVM's rather than of auto_scheduler's.
bool is_autotvm(std::string_view line);

// Throws UserError that says what is wrong where.
KnobRecord knobs_from_line(std::string_view line);
// The line without its newline, spelled as Python's json spells it: byte for byte what was read.
std::string to_line(const KnobRecord& record);

}  // namespace hone::record
