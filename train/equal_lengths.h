// Programs of a batch that have equally many rows, so that what looks along a program needs no padding.
#pragma once
#include <vector>

#include "train/views.h"

namespace hone::train {

struct EqualLength {
  std::int64_t length;
  torch::Tensor programs;  // [m]: their numbers in the batch
  torch::Tensor rows;      // [m * length]: the numbers of their rows, program by program
};

// The shortest first; programs without rows are in none.
std::vector<EqualLength> by_length(const View& view);

}  // namespace hone::train
