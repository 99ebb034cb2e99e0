#include "search/history.h"

#include <algorithm>

namespace hone::search {

void History::tell(std::span<const Trial> trials) {
  for (const Trial& trial : trials) {
    seen_.add(trial.point);
    if (trial.time) fastest_.push_back(trial);
  }
  std::ranges::stable_sort(fastest_, {}, [](const Trial& trial) { return *trial.time; });
}

}  // namespace hone::search
