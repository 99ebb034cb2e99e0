// Draws from one stream of counter-based random numbers: one seed, one sequence.
#pragma once
#include <cstddef>
#include <vector>

#include "base/random.h"

namespace hone::property {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  int below(std::size_t bound) {
    return static_cast<int>(hone::below(bound, random_bits(seed_, stream_, drawn_++)));
  }
  int between(int least, int most) { return least + below(static_cast<std::size_t>(most - least + 1)); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(all.size()))];
  }

 private:
  std::uint64_t seed_, stream_, drawn_ = 0;
};

}  // namespace hone::property
