// Softmax's sparse sibling (Martins and Astudillo, 2016): most of its shares are exactly 0.
#pragma once
#include "train/torch.h"

namespace hone::train {

// Of each row of x [n, columns] the nearest point whose coordinates are not negative and add up to 1.
torch::Tensor sparsemax(const torch::Tensor& x);

}  // namespace hone::train
