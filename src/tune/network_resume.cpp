// How the tuning of networks begins: its tasks' lanes, and what the folder holds of them already.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "base/error.h"
#include "base/md5.h"
#include "graph/flops.h"
#include "schedule/state.h"
#include "space/tiling.h"
#include "task/analysis.h"
#include "tune/network_session.h"
#include "tune/tune.h"
#include "tune/warm_start.h"

namespace hone::tune {
namespace {

constexpr const char* kOnlyThisRun = ":memory:";

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Names a run's networks: what there is to tune in them.
std::string key_of(const std::vector<Lane>& lanes) {
  std::string all;
  for (const Lane& lane : lanes) all += lane.workload_key();
  return md5_hex(all);
}

}  // namespace

void NetworkSession::make_lanes() {
  if (plan_.tasks.empty())
    throw UserError("there is nothing to tune: no operator computes anything",
                    "`hone compile` makes an artefact of it");
  target::Target target = target::host();
  target.cores = options_.run.threads;
  const bool cold = are_weights_cold(plan_, target);
  choice_of_task_.resize(plan_.tasks.size());
  lanes_.reserve(plan_.tasks.size());
  for (std::size_t t = 0; t < plan_.tasks.size(); ++t) {
    const task::Task& task = *plan_.tasks[t];
    lanes_.emplace_back(plan_.tasks[t], target, space::analytic_steps(task, target, target.cores),
                        [=, this] { return parts_of(t, cold); });
  }
  for (const auto& task : plan_.conversions) conversions_s_.push_back(estimated_s(*task, target));
  given_ = record::best_records(options_.records, target::to_string(target));
  for (std::size_t c = 0; c < plan_.choices.size(); ++c) {
    const Choice& choice = plan_.choices[c];
    for (const Alternative& one : choice.alternatives)
      choice_of_task_[at(one.task)] = static_cast<int>(c);
    ChoiceState state{.name = choice.name, .flop = choice.flop};
    for (const double uses : choice.uses) state.uses += uses;
    summary_.progress.choices.push_back(std::move(state));
  }
  summary_.target = target::to_string(target);
  summary_.compiler = compiler_name();
}

void NetworkSession::open_store() {
  try {
    store_ = std::make_unique<record::Store>(options_.store.empty() ? kOnlyThisRun : options_.store);
  } catch (const UserError& error) {
    leave_store(error);
  }
}

// Nothing depends on it.
void NetworkSession::leave_store(const UserError& error) {
  tell(Noted{fmt::format("the store of winners is not used any more: {}", error.what())});
  store_ = std::make_unique<record::Store>(kOnlyThisRun);
}

// What was found for like tasks, by earlier runs or in this one, is tried before anything else.
Parts NetworkSession::parts_of(std::size_t task, bool cold) {
  constexpr int kStarts = 4;
  const Lane& lane = lanes_[task];
  Parts parts = make_parts(plan_.tasks[task], options_.run,
                           {.cold_constants = cold, .is_one_of_many = true, .scorer = scorer_});
  if (const auto given = given_.by_workload.find(lane.workload_key());
      given != given_.by_workload.end())
    parts.starts.push_back(given->second.steps);
  try {
    std::ranges::move(
        warm_starts(plan_.tasks[task], lane.target(), options_.run.space, *store_, kStarts),
        std::back_inserter(parts.starts));
  } catch (const UserError& error) {
    leave_store(error);
  }
  return parts;
}

void NetworkSession::keep_winner(const Lane& lane) {
  if (lane.best() < 0) return;
  try {
    store_->add(lane.task(), lane.record_of(lane.trials()[at(lane.best())]), summary_.compiler);
  } catch (const UserError& error) {
    leave_store(error);
  }
}

void NetworkSession::resume() {
  const record::RunLog& earlier = folder_.earlier();
  if (earlier.begin && earlier.begin->workload_key != key_of(lanes_)) {
    throw UserError(
        fmt::format("{} holds a run for something else: {}", folder_.path(), earlier.begin->task),
        "choose another folder with --run, or start over in this one with --fresh");
  }
  for (const record::LoggedTrial& logged : earlier.trials) {
    const bool counts = logged.record.target == summary_.target && logged.compiler == summary_.compiler;
    if (!counts) {
      ++summary_.stale;
      continue;
    }
    const Trial trial = trial_of(logged);
    bool is_new = false;
    for (Lane& lane : lanes_) {
      if (lane.workload_key() == logged.record.workload_key) is_new |= lane.add_earlier(trial);
    }
    if (is_new) count(trial);
  }
  for (const record::RoundNote& round : earlier.rounds) summary_.progress.all.count(round);
  summary_.progress.all.resumed = summary_.progress.all.trials;
  earlier_s_ = summary_.progress.all.at_s;
}

// What this compiler built and timed for the very same task in another run need not be found again: it
// counts as a trial, though not as one of this run.
void NetworkSession::recall() {
  std::size_t recalled = 0;
  try {
    for (Lane& lane : lanes_) {
      const auto found = store_->proven(lane.task(), summary_.target, summary_.compiler);
      if (!found) continue;
      schedule::replay(plan_.tasks[number_of(lane)], found->steps);
      recalled += lane.add_earlier(trial_of({*found, {}, summary_.compiler})) ? 1 : 0;
    }
  } catch (const UserError& error) {
    leave_store(error);
  }
  if (recalled == 0) return;
  refresh();
  tell(Noted{fmt::format("{} of {} tasks begin with what earlier runs found for them", recalled,
                         lanes_.size())});
}

void NetworkSession::begin_log() {
  NetworkStarted started{.tasks = lanes_.size(),
                         .machine = machine_name(lanes_[0].target()),
                         .folder = folder_.path(),
                         .scorer = scorer_name(options_.run),
                         .dropped = folder_.torn_line(),
                         .stale = summary_.stale,
                         .unread = folder_.unread()};
  for (const PlannedNetwork& network : plan_.networks) {
    started.networks.push_back(network.graph.name);
    started.flop.push_back(graph::flop_count(network.graph));
  }
  for (const ChoiceState& state : summary_.progress.choices)
    started.operators += static_cast<std::size_t>(state.uses);
  folder_.write(kOptionsFile, to_toml(options_.run));
  folder_.append(record::Begin{.compiler = summary_.compiler,
                               .task = fmt::format("{}", fmt::join(started.networks, ", ")),
                               .workload_key = key_of(lanes_),
                               .target = summary_.target,
                               .replay = {},
                               .seed = options_.run.seed,
                               .time = std::time(nullptr)});
  for (const Lane& lane : lanes_) folder_.append_computation(lane.workload_key(), lane.task());
  write_summary(record::RunState::Running);
  tell(started);
}

}  // namespace hone::tune
