// What else the machine does, and at which clock it may run: why times move.
#pragma once
#include <string>

namespace hone::cli {

// Processor time since the machine and since this process started.
struct ProcessorTime {
  double all_s = 0;  // of all processors, busy or idle
  double busy_s = 0;
  double own_s = 0;  // of this process
};

ProcessorTime processor_time();  // zeros where the system does not tell

// Of all processors' time between the two: the share that other processes had.
double share_of_others(const ProcessorTime& before, const ProcessorTime& after);

// Who sets the clock frequency; empty when the system does not tell (a virtual machine, most likely).
std::string frequency_governor();

// The first line of a file under /sys or /proc; empty when there is none.
std::string first_line(const std::string& path);

}  // namespace hone::cli
