// `hone doctor`: what on this machine stands in the way of good measurements, and what to do about it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/affinity.h"
#include "base/core_distance.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/machine_load.h"
#include "cli/terminal.h"
#include "codegen/compile.h"
#include "codegen/version.h"
#include "measure/worker_process.h"
#include "target/target.h"
#include "task/catalogue.h"

namespace hone::cli {
namespace {

namespace fs = std::filesystem;

struct Finding {
  std::string subject;
  bool ok;
  std::string text;
  std::string advice;  // when not ok
};

Finding check_cores() {
  const target::Target host = target::host();
  return {"cores", true,
          fmt::format("{} usable, {}, vectors of {} bits", host.cores, host.cpu, host.vector_bits), ""};
}

// Threads of one kernel read what the others wrote.
Finding check_core_distance() {
  const std::vector<int> cpus = allowed_cpus();
  if (cpus.size() < 2) return {"distance", true, "one core has no neighbours", ""};
  double farthest_ns = 0;
  for (std::size_t other = 1; other < cpus.size(); ++other) {
    farthest_ns = std::max(farthest_ns, round_trip_ns(cpus[0], cpus[other]));
  }
  constexpr double kSharedCacheNs = 150;  // 53 with, 313 without, between cores of a Zen 4
  return {
      "distance", farthest_ns < kSharedCacheNs,
      fmt::format("a cache line goes from one core to another and back in {:.0f} ns", farthest_ns),
      "cores that share no cache slow down kernels whose threads exchange data, up to two times; in a "
      "virtual machine this changes whenever its host moves a core, so compare times of one moment"};
}

// Makes a small kernel, so that a broken installation shows here and not in the middle of a run.
Finding check_llvm() {
  const target::Target host = target::host();
  const auto task = std::make_shared<const task::Task>(task::from_op("matmul:m=4,n=16,k=4"));
  try {
    const codegen::Kernel kernel = codegen::compile(task, {}, host);
    return {"compiler", true,
            fmt::format("{} makes code for {}", codegen::compiler_version(), host.cpu), ""};
  } catch (const std::exception& error) {
    return {"compiler", false, fmt::format("{}: {}", codegen::compiler_version(), error.what()),
            "install llvm-19 anew; if that does not help, please report it"};
  }
}

Finding check_worker() {
  try {
    return {"worker", true, measure::find_worker(), ""};
  } catch (const UserError& error) {
    return {"worker", false, error.what(), error.hint()};
  }
}

Finding check_load() {
  const double load = std::atof(first_line("/proc/loadavg").c_str());
  const bool quiet = load < 0.5;
  return {"load", quiet, fmt::format("{} other processes run on average", load),
          "times move while others work; stop them, or trust only large differences"};
}

// Tries the very call that measuring makes, and takes it back.
Finding check_scheduler() {
  const int policy = sched_getscheduler(0);
  sched_param before{};
  sched_getparam(0, &before);
  const sched_param first_in_line{.sched_priority = 1};
  const bool permitted = sched_setscheduler(0, SCHED_FIFO, &first_in_line) == 0;
  if (permitted) sched_setscheduler(0, policy, &before);
  return {"scheduler", permitted,
          permitted ? "real-time priority is permitted"
                    : "real-time priority is refused, other processes interrupt timing",
          "`sudo setcap cap_sys_nice+ep build/hone`, or run as root"};
}

Finding check_huge_pages() {
  const std::string modes = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  const bool usable =
      modes.find("[always]") != std::string::npos || modes.find("[madvise]") != std::string::npos;
  return {"huge pages", usable, modes.empty() ? "not offered by this kernel" : modes,
          "`echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled`"};
}

Finding check_frequency() {
  const std::string cpus = "/sys/devices/system/cpu/";
  const std::string governor = frequency_governor();
  if (governor.empty())
    return {"frequency", true, "not ours to see (a virtual machine, most likely)", ""};
  const bool turbo =
      first_line(cpus + "cpufreq/boost") == "1" || first_line(cpus + "intel_pstate/no_turbo") == "0";
  return {"frequency", governor == "performance",
          fmt::format("governor {}, turbo {}", governor, turbo ? "on" : "off"),
          "`sudo cpupower frequency-set -g performance`; times may move by some percent otherwise"};
}

Finding check_c_compiler() {
  const char* path = std::getenv("PATH");
  std::string folder;
  for (std::istringstream folders(path == nullptr ? "" : path); std::getline(folders, folder, ':');) {
    const fs::path compiler = fs::path(folder) / "cc";
    if (access(compiler.c_str(), X_OK) == 0) return {"C compiler", true, compiler.string(), ""};
  }
  return {"C compiler", false, "no `cc` in PATH",
          "`apt-get install gcc`; only the plain-C back end needs it"};
}

Finding check_home() {
  const fs::path home = home_folder();
  fs::path existing = home;
  while (!fs::exists(existing) && existing.has_relative_path()) existing = existing.parent_path();
  const bool writable = access(existing.c_str(), W_OK) == 0;
  return {"cache", writable,
          fmt::format("{} {}", home.string(), writable ? "is writable" : "cannot be written"),
          "set HONE_HOME to a folder of your own"};
}

void print_text(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    fmt::print(
        "{}  {:<10}  {}\n",
        finding.ok ? paint("ok  ", Colour::Green, stdout) : paint("warn", Colour::Yellow, stdout),
        finding.subject, finding.text);
    if (!finding.ok) fmt::print("                  hint: {}\n", finding.advice);
  }
}

void print_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    nlohmann::ordered_json entry = {
        {"subject", finding.subject}, {"ok", finding.ok}, {"text", finding.text}};
    if (!finding.ok) entry["hint"] = finding.advice;
    list.push_back(entry);
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"schema", "hone.doctor/1"}, {"findings", list}}.dump());
}

}  // namespace

int doctor(const Doctor& options) {
  const std::vector<Finding> findings = {
      check_cores(), check_core_distance(), check_llvm(),       check_worker(),    check_c_compiler(),
      check_load(),  check_scheduler(),     check_huge_pages(), check_frequency(), check_home()};
  options.json ? print_json(findings) : print_text(findings);
  return kDone;
}

}  // namespace hone::cli
