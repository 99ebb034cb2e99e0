// A random order that is a function of the random numbers alone.
#pragma once
#include <utility>
#include <vector>

#include "base/random.h"

namespace hone {

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[random.below(static_cast<std::int64_t>(left))]);
}

}  // namespace hone
