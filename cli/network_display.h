// How `hone tune MODEL` shows a run while it goes on.
#pragma once
#include "cli/tune_display.h"
#include "tune/network_progress.h"

namespace hone::cli {

tune::NetworkListener make_network_display(Show show, bool verbose);

// The table of choices, the dearest first; at most so many rows, 0 for all.
std::vector<std::string> table_of(const tune::NetworkProgress& progress, std::size_t rows);

}  // namespace hone::cli
