#include "schedule/original_ops.h"

#include <algorithm>
#include <numeric>

#include "base/match.h"

namespace hone::schedule {

std::vector<int> original_ops(const State& state) {
  const auto is_adding = [](const Step& step) {
    return std::holds_alternative<CacheRead>(step) || std::holds_alternative<CacheWrite>(step) ||
           std::holds_alternative<Rfactor>(step);
  };
  const auto n_added = static_cast<std::size_t>(std::ranges::count_if(state.steps, is_adding));
  std::vector<int> ops(state.stages.size() - n_added);
  std::iota(ops.begin(), ops.end(), 0);
  const auto add = [&](int position, int like) {
    const int op = ops[static_cast<std::size_t>(like)];
    ops.insert(ops.begin() + position, op);
  };
  for (const Step& step : state.steps) {
    match(
        step, [&](const CacheRead& s) { add(s.stage + 1, s.readers.front()); },
        [&](const CacheWrite& s) { add(s.stage, s.stage); },
        [&](const Rfactor& s) { add(s.stage, s.stage); }, [](const auto&) {});
  }
  return ops;
}

}  // namespace hone::schedule
