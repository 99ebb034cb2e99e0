#include "tune/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

#include "base/clock.h"
#include "tune/shared_axis.h"

namespace hone::tune {
namespace {

constexpr std::size_t kContenders = 6;
// A candidate this much slower alone does not win in the network against another one of its algorithm;
// against one of another algorithm it may, because they need the caches in other ways.
constexpr double kNear = 1.12, kNearOther = 2;
// Likewise one that shares its work out otherwise: what a program reads may lie on the other core.
constexpr double kNearShared = 1.25;
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

const Lane& lane_of(const Choice& choice, const std::vector<Lane>& lanes, const Pick& pick) {
  return lanes[at(choice.alternatives[at(pick.alternative)].task)];
}

// How the threads share out the result of a trial.
int axis_of(const Lane& lane, const Pick& pick) {
  return shared_axis(lane.shared_task(), lane.trials()[at(pick.trial)].candidate.steps);
}

// The best of each algorithm, of each way to share out the work, then the others.
std::vector<Pick> contenders_of(const std::vector<Timed>& sorted, const Choice& choice,
                                const std::vector<Lane>& lanes) {
  std::vector<Pick> picks;
  std::set<int> algorithms;
  for (const Timed& one : sorted) {
    if (one.seconds <= kNearOther * sorted[0].seconds && algorithms.insert(one.pick.alternative).second)
      picks.push_back(one.pick);
  }
  const auto is_known = [&](const Pick& pick) { return std::ranges::find(picks, pick) != picks.end(); };
  std::set<std::pair<int, int>> ways;
  for (const Timed& one : sorted) {
    if (one.seconds > kNearShared * sorted[0].seconds) break;
    const int axis = axis_of(lane_of(choice, lanes, one.pick), one.pick);
    if (ways.emplace(one.pick.alternative, axis).second && !is_known(one.pick))
      picks.push_back(one.pick);
  }
  for (const Timed& one : sorted) {
    if (picks.size() >= kContenders || one.seconds > kNear * sorted[0].seconds) break;
    if (!is_known(one.pick)) picks.push_back(one.pick);
  }
  if (picks.empty()) picks.emplace_back();
  return picks;
}

std::vector<Pick> nth(const std::vector<std::vector<Pick>>& contenders, std::size_t n) {
  std::vector<Pick> picks;
  for (const std::vector<Pick>& all : contenders) picks.push_back(all[std::min(n, all.size() - 1)]);
  return picks;
}

// Whether the threads share out channels; else it is places, of which the next program finds most on
// the core that made them.
bool shares_channels(const Rehearsal& rehearsal, std::size_t choice, const Pick& pick) {
  if (pick.trial < 0) return false;
  const Lane& lane = lane_of(rehearsal.plan.choices[choice], rehearsal.lanes, pick);
  const int channels = static_cast<int>(lane.task().ops.back().axes.size()) - 1;
  return axis_of(lane, pick) == channels;
}

// For every choice the first contender that shares out channels, or one that does not.
std::vector<Pick> alike(const Rehearsal& rehearsal, const std::vector<std::vector<Pick>>& contenders,
                        bool channels) {
  std::vector<Pick> picks = nth(contenders, 0);
  for (std::size_t c = 0; c < picks.size(); ++c) {
    const auto found = std::ranges::find_if(contenders[c], [&](const Pick& pick) {
      return shares_channels(rehearsal, c, pick) == channels;
    });
    if (found != contenders[c].end()) picks[c] = *found;
  }
  return picks;
}

Times times_alone(const Rehearsal& rehearsal, const std::vector<Pick>& picks) {
  const Plan& plan = rehearsal.plan;
  std::vector<double> best_s;
  for (std::size_t c = 0; c < picks.size(); ++c) {
    const Lane& lane = lane_of(plan.choices[c], rehearsal.lanes, picks[c]);
    best_s.push_back(picks[c].trial < 0 ? std::numeric_limits<double>::infinity()
                                        : lane.trials()[at(picks[c].trial)].best_s());
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
  for (const bool channels : {false, true}) {
    Selection selection{taken, alike(rehearsal, contenders, channels)};
    if (std::ranges::find(all, selection) == all.end()) all.push_back(std::move(selection));
  }
  const std::vector<double> uses = uses_of(plan, network, taken);
  std::size_t most = 0;
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    if (uses[c] > 0) most = std::max(most, contenders[c].size());
  }
  for (std::size_t n = 1; n < most; ++n) all.push_back({taken, nth(contenders, n)});
  return all;
}

// Of a run of the version, if its choices took so long.
double sum_s(const Version& version, const std::vector<double>& choices_s) {
  double sum = version.rest_s();
  for (std::size_t c = 0; c < choices_s.size(); ++c) {
    if (version.uses()[c] > 0) sum += version.uses()[c] * choices_s[c];
  }
  return sum;
}

using Accepts = std::function<bool(std::size_t choice, const Pick& pick)>;

// The pick of each choice that took the least time in any version, as far as it is accepted, and with
// these the forms that take the least together.
Selection fastest(const std::deque<Version>& versions, const Version& base, const Accepts& accepts) {
  Selection best = base.selection();
  std::vector<double> least_s = base.choices_s();
  for (const Version& version : versions) {
    for (std::size_t c = 0; c < least_s.size(); ++c) {
      if (version.choices_s()[c] >= least_s[c] || !accepts(c, version.selection().picks[c])) continue;
      least_s[c] = version.choices_s()[c];
      best.picks[c] = version.selection().picks[c];
    }
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Version& version : versions) {
    const double sum = sum_s(version, least_s);
    if (sum >= least) continue;
    least = sum;
    best.options = version.selection().options;
  }
  return best;
}

// The versions that are compared, and the time for it.
class Stage {
 public:
  explicit Stage(const Rehearsal& rehearsal) : rehearsal_(rehearsal) {}

  Selection run(const std::vector<Selection>& programme) {
    for (const Selection& selection : programme) {
      // Half of the time is for running; one version alone tells nothing.
      const double count = static_cast<double>(versions_.size());
      const double mean_s = versions_.empty() ? rehearsal_.build_s : spent_s() / count;
      if (mean_s * std::max(count + 1, 2.0) > rehearsal_.budget_s / 2 || is_over()) break;
      add(selection);
    }
    if (versions_.empty()) return programme[0];
    take_turns(0, true);
    return together(add_mixtures());
  }

 private:
  double spent_s() const { return now_s() - start_s_; }
  bool is_over() const { return bytes_ > kMostBytes || rehearsal_.stop(); }

  void add(const Selection& selection) {
    const std::string path = fmt::format("{}-{}.hone", rehearsal_.scratch, versions_.size());
    versions_.emplace_back(rehearsal_.plan, rehearsal_.network, rehearsal_.lanes, selection, path);
    std::filesystem::remove(path);  // it stays open
    bytes_ += versions_.back().size_bytes();
    versions_.back().take_turn(1, true);
  }

  void take_turns(std::size_t first, bool by_choice) {
    for (int turn = 0; turn < kMostTurns && spent_s() < rehearsal_.budget_s && !rehearsal_.stop();
         ++turn) {
      for (std::size_t v = first; v < versions_.size(); ++v)
        versions_[v].take_turn(kRunsInTurn, by_choice);
    }
  }

  // The best of each choice, whatever their neighbours share out; and of those alone that share out
  // places, which fit together.
  std::size_t add_mixtures() {
    const std::size_t first = versions_.size();
    const Selection any =
        fastest(versions_, versions_[0], [](std::size_t, const Pick&) { return true; });
    const Version& whole = *std::ranges::min_element(
        versions_, {}, [](const Version& version) { return sum_s(version, version.choices_s()); });
    const Selection places = fastest(versions_, whole, [&](std::size_t c, const Pick& pick) {
      return !shares_channels(rehearsal_, c, pick);
    });
    const Selection best = whole.selection();
    add(any);
    for (const Selection& other : {places, best}) {
      const bool is_new =
          std::ranges::none_of(versions_.begin() + static_cast<std::ptrdiff_t>(first), versions_.end(),
                               [&](const Version& version) { return version.selection() == other; });
      if (is_new && spent_s() < rehearsal_.budget_s && !is_over()) add(other);
    }
    return first;
  }

  // Which of them is the fastest as a whole.
  Selection together(std::size_t first) {
    take_turns(first, false);
    const auto begin = versions_.begin() + static_cast<std::ptrdiff_t>(first);
    return std::ranges::min_element(begin, versions_.end(), {}, &Version::best_s)->selection();
  }

  const Rehearsal& rehearsal_;
  const double start_s_ = now_s();
  std::deque<Version> versions_;
  std::uintmax_t bytes_ = 0;
};

}  // namespace

std::vector<std::vector<Pick>> contenders(const Plan& plan, const std::vector<Lane>& lanes,
                                          const Allowed& allowed) {
  std::vector<std::vector<Pick>> all;
  for (const Choice& choice : plan.choices) {
    all.push_back(contenders_of(timed(choice, lanes, allowed), choice, lanes));
  }
  return all;
}

Selection rehearse(const Rehearsal& rehearsal, const std::vector<std::vector<Pick>>& contenders) {
  return Stage(rehearsal).run(programme(rehearsal, contenders));
}

}  // namespace hone::tune
