// `hone tune --dry-run`: what a run would do and how long it would take.
#pragma once
#include "cli/options.h"
#include "tune/tune.h"

namespace hone::cli {

// Measures the untuned program once: what a trial costs is known from that.
int say_plan(const Tune& options, const tune::Parts& parts);

}  // namespace hone::cli
