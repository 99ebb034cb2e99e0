// Many samples as blocks that stay in a core's caches, and what networks that end in one say of them.
#pragma once
#include "score/dense.h"
#include "score/model.h"

namespace hone::score {

// What `predict` says of each sample, asked a block at a time, side by side on the function's threads.
// It must say the same of a sample in any company.
std::vector<Prediction> in_blocks(
    const DenseFunction& function, std::span<const Sample> samples,
    const std::function<std::vector<Prediction>(std::span<const Sample>)>& predict);

// The function reads what `n` programs have come to and says the logarithm of each one's score and,
// unless `hidden_width` is 0, as many numbers that its last layer read.
std::vector<Prediction> decode(const DenseFunction& function, std::span<const float> programs,
                               std::size_t n, std::size_t hidden_width);

}  // namespace hone::score
