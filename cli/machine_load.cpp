#include "cli/machine_load.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace hone::cli {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

ProcessorTime processor_time() {
  // cpu user nice system idle iowait irq softirq steal ...: ticks of all processors together
  std::istringstream line(first_line("/proc/stat"));
  std::string word;
  line >> word;
  const auto tick_s = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  ProcessorTime time;
  double ticks = 0;
  for (int column = 0; column < 8 && line >> ticks; ++column) {
    const bool is_idle = column == 3 || column == 4;
    time.all_s += ticks * tick_s;
    time.busy_s += is_idle ? 0 : ticks * tick_s;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  for (const timeval& part : {usage.ru_utime, usage.ru_stime})
    time.own_s += static_cast<double>(part.tv_sec) + static_cast<double>(part.tv_usec) * 1e-6;
  return time;
}

double share_of_others(const ProcessorTime& before, const ProcessorTime& after) {
  const double all = after.all_s - before.all_s;
  if (all <= 0) return 0;
  const double others = (after.busy_s - before.busy_s) - (after.own_s - before.own_s);
  return std::clamp(others / all, 0.0, 1.0);
}

std::string frequency_governor() {
  return first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
}

}  // namespace hone::cli
