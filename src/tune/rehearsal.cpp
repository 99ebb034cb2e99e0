#include "tune/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/clock.h"

namespace hone::tune {
namespace {

constexpr std::size_t kContenders = 6;
// A candidate this much slower alone does not win in the network against another one of its algorithm;
// against one of another algorithm it may, because they need the caches in other ways.
constexpr double kNear = 1.12, kNearOther = 2;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{3} << 30;  // of all versions that are open
constexpr int kRunsInTurn = 3;
constexpr int kMostTurns = 6;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Timed {
  Pick pick;
  double seconds;
};

std::vector<Timed> timed(const Choice& choice, const std::vector<Lane>& lanes, const Allowed& allowed) {
  std::vector<Timed> all;
  for (int a = 0; a < static_cast<int>(choice.alternatives.size()); ++a) {
    if (!allowed(choice.alternatives[at(a)].algorithm)) continue;
    const std::vector<Trial>& trials = lanes[at(choice.alternatives[at(a)].task)].trials();
    for (int t = 0; t < static_cast<int>(trials.size()); ++t) {
      if (trials[at(t)].is_ok()) all.push_back({{a, t}, trials[at(t)].best_s()});
    }
  }
  std::ranges::stable_sort(all, {}, &Timed::seconds);
  return all;
}

// The best of each algorithm, then the others.
std::vector<Pick> contenders_of(const std::vector<Timed>& sorted) {
  std::vector<Pick> picks;
  std::set<int> seen;
  for (const Timed& one : sorted) {
    if (one.seconds <= kNearOther * sorted[0].seconds && seen.insert(one.pick.alternative).second)
      picks.push_back(one.pick);
  }
  for (const Timed& one : sorted) {
    if (picks.size() >= kContenders || one.seconds > kNear * sorted[0].seconds) break;
    if (std::ranges::find(picks, one.pick) == picks.end()) picks.push_back(one.pick);
  }
  if (picks.empty()) picks.emplace_back();
  return picks;
}

Selection selection_of(const std::vector<std::vector<Pick>>& contenders, std::size_t version) {
  Selection selection;
  for (const std::vector<Pick>& all : contenders)
    selection.push_back(all[std::min(version, all.size() - 1)]);
  return selection;
}

// The pick of each choice that took the least time in any version.
Selection fastest(const std::vector<Version>& versions) {
  Selection best = versions[0].selection();
  for (std::size_t c = 0; c < best.size(); ++c) {
    double least_s = versions[0].choices_s()[c];
    for (const Version& version : versions) {
      if (version.choices_s()[c] >= least_s) continue;
      least_s = version.choices_s()[c];
      best[c] = version.selection()[c];
    }
  }
  return best;
}

}  // namespace

std::vector<std::vector<Pick>> contenders(const Plan& plan, const std::vector<Lane>& lanes,
                                          const Allowed& allowed) {
  std::vector<std::vector<Pick>> all;
  for (const Choice& choice : plan.choices) {
    all.push_back(contenders_of(timed(choice, lanes, allowed)));
  }
  return all;
}

Selection rehearse(const Plan& plan, std::size_t network, const std::vector<Lane>& lanes,
                   const std::vector<std::vector<Pick>>& contenders, const std::string& scratch,
                   double build_s, double budget_s, const std::function<bool()>& stop) {
  const double start = now_s();
  std::size_t wanted = 0;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    if (plan.choices[c].uses[network] > 0) wanted = std::max(wanted, contenders[c].size());
  }
  std::vector<Version> versions;
  std::uintmax_t bytes = 0;
  while (versions.size() < wanted && bytes <= kMostBytes && !stop()) {
    // Half of the time is for running; one version alone tells nothing.
    const double spent_s = now_s() - start, count = static_cast<double>(versions.size());
    const double mean_s = versions.empty() ? build_s : spent_s / count;
    if (mean_s * std::max(count + 1, 2.0) > budget_s / 2) break;
    const std::string path = fmt::format("{}-{}.hone", scratch, versions.size());
    versions.emplace_back(plan, network, lanes, selection_of(contenders, versions.size()), path);
    std::filesystem::remove(path);  // it stays open
    bytes += versions.back().size_bytes();
    versions.back().take_turn(1, true);
  }
  if (versions.empty()) return selection_of(contenders, 0);
  for (int turn = 0; turn < kMostTurns && now_s() - start < budget_s && !stop(); ++turn) {
    for (Version& version : versions) version.take_turn(kRunsInTurn, true);
  }
  return fastest(versions);
}

}  // namespace hone::tune
