#include "benchmarks/candidates.h"

#include <set>

#include "base/random.h"
#include "schedule/step_json.h"
#include "space/tiling.h"
#include "task/analysis.h"

namespace hone::bench {

std::vector<schedule::Steps> random_candidates(const task::Task& task, int count, int threads,
                                               const target::Target& target, std::uint64_t seed) {
  constexpr std::uint64_t kMaxDraws = 100000;
  const std::vector<space::StageRole> roles = space::structure(task, task::analyse(task));
  std::vector<schedule::Steps> candidates;
  std::set<std::string> seen;
  for (std::uint64_t stream = 0; static_cast<int>(candidates.size()) < count && stream < kMaxDraws;
       ++stream) {
    Random random(seed, stream);
    const space::Draw draw = [&](std::int64_t n) { return random.below(n); };
    schedule::Steps steps =
        space::steps_for(task, roles, space::random_choice(task, roles, target, threads, draw));
    if (seen.insert(schedule::to_json(steps)).second) candidates.push_back(std::move(steps));
  }
  return candidates;
}

}  // namespace hone::bench
