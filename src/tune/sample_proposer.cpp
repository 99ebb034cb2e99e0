#include "tune/sample_proposer.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/clock.h"

namespace hone::tune {
namespace {

constexpr int kDraws = 20;  // in vain, for each candidate wanted, until a space counts as exhausted

// Adds up to `count` new samples of a space. What was taken before in this batch is not new.
std::size_t draw(const Candidates& space, std::size_t count, Random random, const IsKnown& is_known,
                 std::set<std::string>& taken, std::vector<Candidate>& to) {
  std::size_t drawn = 0;
  for (std::size_t in_vain = 0; drawn < count && in_vain < kDraws * count;) {
    const std::optional<search::Point> point = space.sample(random);
    std::optional<schedule::Steps> steps = point ? space.decode(*point) : std::nullopt;
    Candidate candidate = steps ? candidate_of(std::move(*steps)) : Candidate{};
    if (candidate.steps.empty() || is_known(candidate.key) || !taken.insert(candidate.key).second) {
      ++in_vain;
      continue;
    }
    to.push_back(std::move(candidate));
    ++drawn;
  }
  return drawn;
}

}  // namespace

Proposals SampleProposer::propose(int round, std::size_t count, const IsKnown& is_known) {
  const double start = now_s();
  const auto stream = static_cast<std::uint64_t>(round);
  const bool evolves = round > 0 && evolution_ != nullptr;
  const std::size_t others = count / 8;
  const std::size_t even = count - (evolves ? 2 : 1) * others;
  Proposals out;
  std::set<std::string> taken;
  const std::size_t drawn =
      draw(*ansor_, even, Random(seed_, 2 * stream), is_known, taken, out.candidates);
  const std::size_t share = even > 0 ? others * drawn / even : 0;
  draw(*own_, share, Random(seed_, 2 * stream + 1), is_known, taken, out.candidates);
  out.search_s = now_s() - start;
  if (!evolves || share == 0) return out;
  Proposals evolved = evolution_->propose(
      round, share, [&](const std::string& key) { return is_known(key) || taken.contains(key); });
  std::ranges::move(evolved.candidates, std::back_inserter(out.candidates));
  out.search_s += evolved.search_s;
  out.score_s = evolved.score_s;
  return out;
}

Proposals ListProposer::propose(int /*round*/, std::size_t count, const IsKnown& is_known) {
  Proposals out;
  std::set<std::string> taken;
  for (; next_ < programs_.size() && out.candidates.size() < count; ++next_) {
    Candidate candidate = candidate_of(programs_[next_]);
    if (is_known(candidate.key) || !taken.insert(candidate.key).second) continue;
    out.candidates.push_back(std::move(candidate));
  }
  return out;
}

}  // namespace hone::tune
