// `hone bench FILE.hone...`: latency of artefacts, side by side.
#pragma once
#include "cli/options.h"

namespace hone::cli {

int bench_artefacts(const Bench& options);

}  // namespace hone::cli
