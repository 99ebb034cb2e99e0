// The end of a run: which of the best candidates is really the fastest.
#pragma once
#include <vector>

#include "tune/lane.h"
#include "tune/meter.h"
#include "tune/summary.h"
#include "tune/trial.h"

namespace hone::tune {

// The fastest few trials and the baseline (trial number, -1 when there is none) measured again in
// turn. The least warm time wins; among those within the noise of it, the least cold one; and the
// baseline, unless it is beaten beyond noise.
Finals finals_of(const std::vector<Trial>& trials, int baseline, Meter& meter, double budget_s);

// The finalists with the times of the finals; of a run without any, its fastest trial.
std::vector<record::Record> winners_of(const Lane& lane, const std::optional<Finals>& finals);

}  // namespace hone::tune
