// Many programs, as batches that fit into memory.
#pragma once
#include <algorithm>
#include <vector>

#include "train/views.h"

namespace hone::train {

template <class Use>
void for_each_part(const Features& features, const std::vector<Program>& programs, const Use& use) {
  constexpr std::size_t kAtOnce = 4096;
  const torch::NoGradGuard no_gradient;
  for (std::size_t from = 0; from < programs.size(); from += kAtOnce) {
    const std::size_t to = std::min(programs.size(), from + kAtOnce);
    use(features.batch({programs.begin() + from, programs.begin() + to}));
  }
}

}  // namespace hone::train
