#include "tune/random_proposer.h"

#include <set>

#include "base/clock.h"
#include "base/random.h"
#include "space/tiling.h"
#include "task/analysis.h"

namespace hone::tune {

RandomProposer::RandomProposer(std::shared_ptr<const task::Task> task, const target::Target& target,
                               std::uint64_t seed)
    : task_(std::move(task)),
      target_(target),
      seed_(seed),
      roles_(space::structure(*task_, task::analyse(*task_))) {}

Proposals RandomProposer::propose(int round, std::size_t count, const IsKnown& is_known) {
  constexpr std::size_t kDrawsEach = 50;  // so many in vain mean that the space holds nothing new
  const double start = now_s();
  std::uint64_t drawn = 0;
  const space::Draw draw = [&](std::int64_t n) {
    return static_cast<std::int64_t>(below(
        static_cast<std::uint64_t>(n), random_bits(seed_, static_cast<std::uint64_t>(round), drawn++)));
  };
  Proposals proposals;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < kDrawsEach * count && proposals.candidates.size() < count; ++i) {
    Candidate candidate = candidate_of(space::steps_for(
        *task_, roles_, space::random_choice(*task_, roles_, target_, target_.cores, draw)));
    if (is_known(candidate.key) || !taken.insert(candidate.key).second) continue;
    proposals.candidates.push_back(std::move(candidate));
  }
  proposals.search_s = now_s() - start;
  return proposals;
}

}  // namespace hone::tune
