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
// Likewise forms of places: attention takes as long alone in three tasks as in one, and half as long
// again in BERT-base on two cores.
constexpr double kNearForm = 2;
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

std::vector<Pick> nth(const std::vector<std::vector<Pick>>& contenders, std::size_t n) {
  std::vector<Pick> picks;
  for (const std::vector<Pick>& all : contenders) picks.push_back(all[std::min(n, all.size() - 1)]);
  return picks;
}

Times times_alone(const Rehearsal& rehearsal, const std::vector<Pick>& picks) {
  const Plan& plan = rehearsal.plan;
  std::vector<double> best_s;
  for (std::size_t c = 0; c < picks.size(); ++c) {
    const int task = plan.choices[c].alternatives[at(picks[c].alternative)].task;
    best_s.push_back(picks[c].trial < 0
                         ? std::numeric_limits<double>::infinity()
                         : rehearsal.lanes[at(task)].trials()[at(picks[c].trial)].best_s());
  }
  return measured_times(plan, best_s, rehearsal.conversions_s);
}

// What to compare: what is the fastest alone, the same in the forms that come next, and the other
// contenders.
std::vector<Selection> programme(const Rehearsal& rehearsal,
                                 const std::vector<std::vector<Pick>>& contenders) {
  const Plan& plan = rehearsal.plan;
  const std::size_t network = rehearsal.network;
  const std::vector<Pick> best = nth(contenders, 0);
  const Times times = times_alone(rehearsal, best);
  const std::vector<int> taken = choose_options(plan, network, times);
  std::vector<Selection> all = {{taken, best}};
  const std::vector<int> rival = rival_options(plan, network, times, taken, kNearForm);
  if (rival != taken) all.push_back({rival, best});
  const std::vector<double> uses = uses_of(plan, network, taken);
  std::size_t most = 0;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    if (uses[c] > 0) most = std::max(most, contenders[c].size());
  }
  for (std::size_t n = 1; n < most; ++n) all.push_back({taken, nth(contenders, n)});
  return all;
}

// The pick of each choice that took the least time in any version, and with these the forms that take
// the least together.
Selection fastest(const std::vector<Version>& versions) {
  Selection best = versions[0].selection();
  std::vector<double> least_s = versions[0].choices_s();
  for (const Version& version : versions) {
    for (std::size_t c = 0; c < least_s.size(); ++c) {
      if (version.choices_s()[c] >= least_s[c]) continue;
      least_s[c] = version.choices_s()[c];
      best.picks[c] = version.selection().picks[c];
    }
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Version& version : versions) {
    double sum_s = version.rest_s();
    for (std::size_t c = 0; c < least_s.size(); ++c) {
      if (version.uses()[c] > 0) sum_s += version.uses()[c] * least_s[c];
    }
    if (sum_s >= least) continue;
    least = sum_s;
    best.options = version.selection().options;
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

Selection rehearse(const Rehearsal& rehearsal, const std::vector<std::vector<Pick>>& contenders) {
  const double start = now_s(), budget_s = rehearsal.budget_s;
  const std::vector<Selection> selections = programme(rehearsal, contenders);
  std::vector<Version> versions;
  std::uintmax_t bytes = 0;
  while (versions.size() < selections.size() && bytes <= kMostBytes && !rehearsal.stop()) {
    // Half of the time is for running; one version alone tells nothing.
    const double spent_s = now_s() - start, count = static_cast<double>(versions.size());
    const double mean_s = versions.empty() ? rehearsal.build_s : spent_s / count;
    if (mean_s * std::max(count + 1, 2.0) > budget_s / 2) break;
    const std::string path = fmt::format("{}-{}.hone", rehearsal.scratch, versions.size());
    versions.emplace_back(rehearsal.plan, rehearsal.network, rehearsal.lanes,
                          selections[versions.size()], path);
    std::filesystem::remove(path);  // it stays open
    bytes += versions.back().size_bytes();
    versions.back().take_turn(1, true);
  }
  if (versions.empty()) return selections[0];
  for (int turn = 0; turn < kMostTurns && now_s() - start < budget_s && !rehearsal.stop(); ++turn) {
    for (Version& version : versions) version.take_turn(kRunsInTurn, true);
  }
  return fastest(versions);
}

}  // namespace hone::tune
