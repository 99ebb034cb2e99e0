// How the tuning of networks ends: what they are made of, measured against what hone emits untuned.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/clock.h"
#include "base/error.h"
#include "graph/algorithms.h"
#include "graph/flops.h"
#include "model/compare.h"
#include "tune/network_session.h"

namespace hone::tune {
namespace {

using graph::Algorithm;

constexpr int kRunsInTurn = 5;
constexpr double kMeasureS = 1.5;  // of a network, once
constexpr int kFewestTurns = 2;
constexpr double kMostRehearsalS = 30;
// What is emitted untuned stays unless it is beaten by more than times repeat.
constexpr double kNoise = 0.003;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double measure_budget_s(double budget_s) { return std::min(kMeasureS, 0.04 * budget_s); }

// In turns, so that what the machine does meanwhile meets all of them.
void compare(std::vector<Version*> versions, double budget_s) {
  const double start = now_s();
  for (int turns = 0;
       turns < kFewestTurns || now_s() - start < budget_s * static_cast<double>(versions.size());
       ++turns) {
    for (Version* version : versions) version->take_turn(kRunsInTurn, false);
  }
}

double error_between(const std::vector<model::Tensor>& got, const std::vector<model::Tensor>& want) {
  double error = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    error = std::max(error, model::relative_error(got[i], want[i]));
  return error;
}

// What the tolerance may leave over: first everything, at last what rounds as the definition does.
const std::vector<Allowed>& allowances() {
  static const std::vector<Allowed> all = {
      [](Algorithm) { return true; },
      [](Algorithm algorithm) { return algorithm != Algorithm::Winograd4; }, graph::is_exact};
  return all;
}

}  // namespace

void NetworkSession::measure_untuned() {
  NetworksMeasured event{"untuned", {}};
  double sum_s = 0;
  waits_for("measuring the untuned network");
  for (std::size_t n = 0; n < plan_.networks.size(); ++n) {
    const std::string path = folder_.file("untuned.hone");
    untuned_.emplace_back(plan_, n, lanes_, untuned_selection(plan_, n), path);
    std::filesystem::remove(path);  // it stays open
    Version& version = untuned_.back();
    version.take_turn(kRunsInTurn, true);
    compare({&version}, measure_budget_s(options_.run.budget_s));
    event.seconds.push_back(version.best_s());
    sum_s += version.best_s();
    for (std::size_t c = 0; c < plan_.choices.size(); ++c) {
      if (version.uses()[c] > 0) summary_.progress.choices[c].untuned_s = version.choices_s()[c];
    }
  }
  summary_.progress.all.baseline_s = sum_s;
  refresh();
  tell(event);
}

void NetworkSession::finish_networks() {
  NetworksMeasured event{"tuned", {}};
  for (std::size_t n = 0; n < plan_.networks.size(); ++n) {
    waits_for("comparing the best in the whole network");
    summary_.networks.push_back(finish(n));
    event.seconds.push_back(summary_.networks.back().tuned_s);
  }
  tell(event);
}

// The artefact of what was found. When its answer is too far from the untuned one's it is made again of
// algorithms that round less.
Version NetworkSession::tuned_version(std::size_t network) {
  const Version& untuned = untuned_[network];
  const std::vector<model::Tensor> want = untuned.answer();
  const double networks_left = static_cast<double>(plan_.networks.size() - network);
  const double left_s = (options_.run.budget_s - (now_s() - started_s_)) / networks_left;
  const double ahead_s = 3 * measure_budget_s(options_.run.budget_s) + untuned.build_s();
  const double rehearse_s =
      options_.run.trials == 0 ? 0 : std::clamp(left_s - ahead_s, 0.0, kMostRehearsalS);
  for (const Allowed& allowed : allowances()) {
    const Selection selection = rehearse({.plan = plan_,
                                          .network = network,
                                          .lanes = lanes_,
                                          .conversions_s = conversions_s_,
                                          .scratch = folder_.file("version"),
                                          .build_s = untuned.build_s(),
                                          .budget_s = rehearse_s,
                                          .stop = [&] { return stop_.load(); }},
                                         contenders(plan_, lanes_, allowed));
    Version tuned(plan_, network, lanes_, selection, options_.artefacts[network]);
    const double error = error_between(tuned.answer(), want);
    if (error <= options_.tolerance || &allowed == &allowances().back()) return tuned;
    tell(
        Noted{fmt::format("{}: the outputs differ by {:.1e}, more than the tolerance of {:.1e}; tried "
                          "again with algorithms that round less",
                          plan_.networks[network].graph.name, error, options_.tolerance)});
  }
  fail("the last allowance returns");
}

TunedNetwork NetworkSession::finish(std::size_t network) {
  Version& untuned = untuned_[network];
  const double untuned_before_s = untuned.best_s();
  Version tuned = tuned_version(network);
  untuned.forget_times();
  compare({&untuned, &tuned}, measure_budget_s(options_.run.budget_s));
  // Without trials nothing is chosen by its time, and no kernel was checked before.
  const bool is_slower = tuned.best_s() > untuned.best_s() * (1 + kNoise);
  const bool is_wrong = error_between(tuned.answer(), untuned.answer()) > options_.tolerance;
  const bool keeps_untuned = options_.run.trials == 0 ? is_wrong : is_slower;
  if (keeps_untuned) {
    tell(Noted{fmt::format("{}: what hone emits untuned {} and was kept",
                           plan_.networks[network].graph.name,
                           options_.run.trials == 0 ? "answers otherwise" : "is faster")});
    tuned = Version(plan_, network, lanes_, untuned.selection(), options_.artefacts[network]);
  }
  const hone_description about = tuned.session().about();
  TunedNetwork result{.name = plan_.networks[network].graph.name,
                      .flop = graph::flop_count(plan_.networks[network].graph),
                      .untuned_s = untuned.best_s(),
                      .tuned_s = keeps_untuned ? untuned.best_s() : tuned.best_s(),
                      .drift = untuned.best_s() / untuned_before_s - 1,
                      .error = error_between(tuned.answer(), untuned.answer()),
                      .artefact = options_.artefacts[network],
                      .size_bytes = tuned.size_bytes(),
                      .memory_bytes = about.arena_bytes + about.weight_bytes};
  for (std::size_t c = 0; c < plan_.choices.size(); ++c) {
    if (tuned.uses()[c] == 0) continue;
    ++result.choices;
    const Pick& pick = tuned.selection().picks[c];
    if (pick.trial < 0) continue;
    const int task = plan_.choices[c].alternatives[at(pick.alternative)].task;
    const bool is_measured = !lanes_[at(task)].trials()[at(pick.trial)].measurement.seconds.empty();
    ++(is_measured ? result.tuned : result.ranked);
  }
  return result;
}

void NetworkSession::write_summary(record::RunState state) {
  summary_.state = state;
  if (state != record::RunState::Running) summary_.progress.all.at_s = clock_s();
  folder_.write(kSummaryFile, to_json(summary_) + "\n");
  if (state == record::RunState::Running) return;
  double untuned_s = 0, tuned_s = 0;
  for (const TunedNetwork& network : summary_.networks) {
    untuned_s += network.untuned_s;
    tuned_s += network.tuned_s;
  }
  folder_.append(record::End{state, untuned_s, tuned_s});
  folder_.say(fmt::format("{}: {} trials, {} failed", record::to_string(state),
                          summary_.progress.all.trials, summary_.progress.all.failed()));
}

}  // namespace hone::tune
