#include "tune/summary.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/json_object.h"

namespace hone::tune {
namespace {

std::string to_json(const Finals::Finalist& finalist) {
  const measure::Measurement& warm = finalist.times.warm;
  return JsonObject()
      .add("trial", finalist.trial)
      .add("status", worker::to_string(warm.status))
      .add("warm_s", warm.best_s())
      .add("cold_s", finalist.times.cold_s)
      .add("noise", warm.noise)
      .add("checked", warm.checked)
      .text();
}

std::string to_json(const Finals& finals) {
  std::string list;
  append_json_list(list, finals.finalists,
                   [](std::string& out, const Finals::Finalist& one) { out += to_json(one); });
  return JsonObject()
      .add("winner", finals.winner)
      .add("baseline", finals.baseline)
      .add("drift", finals.drift)
      .add_json("finalists", list)
      .text();
}

}  // namespace

int Finals::index_of(int trial) const {
  const auto found = std::ranges::find(finalists, trial, &Finalist::trial);
  if (found == finalists.end() || found->times.warm.seconds.empty()) return -1;
  return static_cast<int>(found - finalists.begin());
}

const Finals::Finalist* Finals::winning() const {
  return winner < 0 ? nullptr : &finalists[static_cast<std::size_t>(winner)];
}

double Finals::speedup() const {
  if (winner < 0 || baseline < 0) return 1;
  return finalists[static_cast<std::size_t>(baseline)].times.warm.best_s() /
         winning()->times.warm.best_s();
}

double Summary::best_s() const {
  const Finals::Finalist* winner = finals ? finals->winning() : nullptr;
  return winner != nullptr ? winner->times.warm.best_s() : progress.best_s;
}

double Summary::baseline_s() const {
  if (!finals || finals->baseline < 0) return progress.baseline_s;
  return finals->finalists[static_cast<std::size_t>(finals->baseline)].times.warm.best_s();
}

std::string to_json(const Summary& summary) {
  const Progress& progress = summary.progress;
  JsonObject json;
  json.add("schema", "hone.summary/1")
      .add("state", record::to_string(summary.state))
      .add("task", summary.task)
      .add("target", summary.target)
      .add("compiler", summary.compiler)
      .add("scorer", scorer_name(summary.options))
      .add("seed", std::to_string(summary.options.seed))
      .add("flop", summary.flop)
      .add("trials", progress.trials)
      .add("resumed", progress.resumed)
      .add("failed", progress.failed())
      .add("seconds", progress.at_s)
      .add("trials_per_s", summary.trials_per_s)
      .add("exhausted", summary.exhausted)
      .add("ranked", summary.ranked >= 0)
      .add("baseline_s", summary.baseline_s())
      .add("best_s", summary.best_s())
      .add("best_trial", progress.best_trial)
      .add("gflops", summary.flop / summary.best_s() * 1e-9)
      .add_json("split", to_json(progress.split))
      .add_json("failures", failures_json(progress));
  if (summary.finals) json.add_json("finals", to_json(*summary.finals));
  if (!summary.best_steps.empty()) json.add_json("best_steps", summary.best_steps);
  return json.text();
}

}  // namespace hone::tune
