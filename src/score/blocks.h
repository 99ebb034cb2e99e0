// Many samples as blocks that stay in a core's caches.
#pragma once
#include "score/dense.h"
#include "score/model.h"

namespace hone::score {

// What `predict` says of each sample, asked a block at a time, side by side on the function's threads.
// It must say the same of a sample in any company.
std::vector<Prediction> in_blocks(
    const DenseFunction& function, std::span<const Sample> samples,
    const std::function<std::vector<Prediction>(std::span<const Sample>)>& predict);

}  // namespace hone::score
