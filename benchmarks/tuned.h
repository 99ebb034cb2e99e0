// The best that the tuner finds for a layer, in place of a sweep.
#pragma once
#include "benchmarks/sweep.h"

namespace hone::bench {

// `options.trials` for each of the layer's layouts.
SweepResult tuned(const Layer& layer, const target::Target& target, runtime::Pool& pool,
                  const SweepOptions& options);

}  // namespace hone::bench
