// A measured candidate as one line of the public log format of TVM's auto_scheduler.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/step.h"

namespace hone::record {

constexpr int kFirstVersion = 2, kLastVersion = 6;  // v0.2 to v0.6
constexpr std::size_t kHardwareNumbers = 8;

struct Record {
  std::string workload_key;  // names the task
  std::string target;
  std::vector<std::int64_t> hardware;  // 8 numbers, ansor.md 5.7; from v0.3 on
  std::string target_host;             // from v0.5 on
  int layout_option = 0;            // 0 none, 1 insert a transform stage, 2 packed before; from v0.5 on
  std::vector<std::string> inputs;  // names of the task's special inputs; from v0.6 on
  schedule::Steps steps;
  std::vector<double> costs;  // seconds, one a repeat; failed trials carry 1e10
  int error = 0;              // 0 ok, 1-8 what went wrong (ansor.md 9.4)
  double all_cost = 0;        // seconds of building and running
  std::int64_t timestamp = 0;
  int version = kLastVersion;  // the minor number
  // The line as it was read, where writing the fields would spell it otherwise (a time written as
  // 10000000000.0, other spacing); empty for nearly every line. to_line gives it back, so whoever
  // changes a record that was read clears it.
  std::string spelling;
};

// Measured without an error.
bool is_valid(const Record& record);
// The smallest of the costs; infinite when the record is not valid.
double best_cost(const Record& record);

// Whether a line of a log is no record: empty, or begun with '#' or a space. A record with steps that
// only hone has begins with a space, too, so that TVM's readers skip it.
bool is_comment(std::string_view line);

// Throws UserError that says what is wrong where. Versions v0.2 to v0.6 are understood; fields that a
// version lacks, or the line leaves out, keep their defaults.
Record from_line(std::string_view line);

// The line without its newline, with the fields of the record's version and spelled as TVM spells it:
// byte for byte what from_line read.
std::string to_line(const Record& record);

}  // namespace hone::record
