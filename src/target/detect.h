// Reads what Linux says about the processor; kept apart from `host` so that other machines' files can
// be given to it in tests.
#pragma once
#include <filesystem>
#include <string_view>
#include <vector>

#include "target/target.h"

namespace hone::target {

// Architecture, LLVM's cpu and features, and vectors, from the text of /proc/cpuinfo. UserError when
// the processor has no vectors that hone knows.
Target from_cpuinfo(std::string_view cpuinfo, Arch arch);

// Data caches below a folder like /sys/devices/system/cpu/cpu0/cache, L1 first; empty when it is
// missing.
std::vector<Cache> read_caches(const std::filesystem::path& folder);

// Of this machine's first core: the highest that it may run at, or where nothing says that, as in most
// virtual machines, the present one. 0 when it is not known.
double clock_ghz();

}  // namespace hone::target
