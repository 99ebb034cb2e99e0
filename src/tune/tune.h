// The loop for one task: choose, build, measure, learn, again.
#pragma once
#include <atomic>

#include "tune/event.h"
#include "tune/options.h"
#include "tune/parts.h"
#include "tune/summary.h"

namespace hone::tune {

// The target in a few words: "znver4, vectors of 512 bits, 1 thread".
std::string machine_name(const target::Target& target);

// Which kernels a time counts for: the version of hone and of the compiler behind it.
std::string compiler_name();

// Resumes the run of options.folder, where there is one. When `stop` becomes true the batch in flight
// is finished and the run ends as stopped. UserError when the folder cannot be used; what was
// measured until then stays in it.
Summary run(Parts parts, const Options& options, const Listener& listener,
            const std::atomic<bool>& stop);

}  // namespace hone::tune
