// The tuner as a part of a benchmark: a run in a folder that is gone afterwards.
#pragma once
#include <memory>

#include "tune/tune.h"

namespace hone::bench {

// Throws UserError when no candidate gave a right answer.
tune::Summary tune_once(const std::shared_ptr<const task::Task>& task, tune::Options options);
// With parts that the benchmark has made itself.
tune::Summary tune_once(tune::Parts parts, tune::Options options);

// The answer of a run: what won when the best were measured again.
const schedule::Steps& winner(const tune::Summary& summary);

}  // namespace hone::bench
