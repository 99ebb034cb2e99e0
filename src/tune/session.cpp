#include "tune/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/affinity.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/error.h"
#include "schedule/step_json.h"
#include "task/analysis.h"
#include "task/key.h"
#include "tune/finals.h"
#include "tune/ranking.h"

namespace hone::tune {
namespace {

constexpr double kTickS = 0.1;
constexpr double kFinalsS = 2;        // for the re-measurement at the end,
constexpr double kFinalsShare = 0.1;  // or so much of a short budget

double finals_budget_s(const Options& options) {
  return std::min(kFinalsS, kFinalsShare * options.budget_s);
}

// Small rounds while the model knows little, so that it learns early; later ones cost less search a
// trial.
std::size_t round_size(int round) { return round < 4 ? 8 : 16; }

}  // namespace

Session::Session(Parts parts, const Options& options, const Listener& listener,
                 const std::atomic<bool>& stop)
    : parts_(std::move(parts)),
      options_(options),
      listener_(listener),
      stop_(stop),
      started_s_(parts_.started_s),
      folder_(options.folder, options.fresh),
      workload_key_(task::tvm_key(*parts_.task)) {
  summary_.task = parts_.task->name;
  summary_.target = target::to_string(parts_.target);
  summary_.compiler = compiler_name();
  summary_.flop = task::flop_count(*parts_.task);
  summary_.options = options_;
  summary_.progress.wanted = options_.trials;
  summary_.progress.budget_s = options_.budget_s;
}

Summary Session::run() {
  resume();
  try {
    search();
    summary_.trials_per_s =
        (summary_.progress.trials - summary_.progress.resumed) / (now_s() - started_s_);
    const bool stopped = stop_;
    if (!stopped) find_winner();
    write_summary(stopped ? record::RunState::Stopped : record::RunState::Done);
  } catch (...) {
    try {
      write_summary(record::RunState::Failed);
    } catch (const UserError&) {  // the reason for the failure says more
    }
    throw;
  }
  summary_.trials = std::move(trials_);
  tell(Ended{summary_});
  return std::move(summary_);
}

double Session::clock_s() const { return earlier_s_ + now_s() - started_s_; }

void Session::tell(const Event& event) {
  summary_.progress.session_s = now_s() - started_s_;
  if (listener_) listener_(event, summary_.progress);
}

bool Session::has_enough() const {
  return stop_ || (options_.trials > 0 && std::ssize(trials_) >= options_.trials);
}

bool Session::is_over() const {
  return has_enough() || now_s() - started_s_ >= options_.budget_s - finals_budget_s(options_);
}

// How many candidates the next batch has when so many are on their way.
std::size_t Session::next_count(int round, std::size_t in_flight) const {
  const std::size_t wanted =
      options_.trials > 0 ? static_cast<std::size_t>(options_.trials) : trials_.max_size();
  const std::size_t have = trials_.size() + in_flight;
  return have < wanted ? std::min(wanted - have, round_size(round)) : 0;
}

void Session::search() {
  const bool overlaps = parts_.meter->overlaps();
  const auto start_choosing = [&](int round, std::size_t count, std::vector<Trial> lesson) {
    return std::async(overlaps ? std::launch::async : std::launch::deferred,
                      [=, this, lesson = std::move(lesson)] {
                        if (overlaps) keep_to(parts_.meter->free_cpus());
                        return choose(round, count, lesson);
                      });
  };
  if (has_enough()) return;  // one batch is measured however short the budget is
  Batch current = await(start_choosing(next_round_, next_count(next_round_, 0), trials_));
  // Batch k + 1 is chosen while batch k is measured, so by what batches up to k - 1 have taught; and
  // for the same answers everywhere also where the two cannot go on at once.
  std::vector<Trial> lesson;
  while (!current.candidates.empty()) {
    parts_.meter->begin();
    const std::size_t count = next_count(current.round + 1, current.candidates.size());
    std::future<Batch> choosing = start_choosing(current.round + 1, count, std::move(lesson));
    lesson = collect(current);
    end_round(current, lesson);
    if (is_over()) break;
    current = await(std::move(choosing));
    summary_.exhausted = current.candidates.empty();
  }
  parts_.meter->drop_announced();
}

// The baseline and the starts, as far as they are not known.
std::vector<Candidate> Session::given(std::size_t count) {
  std::vector<schedule::Steps> all = parts_.starts;
  if (parts_.baseline) all.insert(all.begin(), *parts_.baseline);
  std::vector<Candidate> candidates;
  for (schedule::Steps& steps : all) {
    if (candidates.size() == count) break;
    Candidate candidate = candidate_of(std::move(steps));
    if (parts_.meter->knows(candidate.key) && known_.insert(candidate.key).second)
      candidates.push_back(std::move(candidate));
  }
  return candidates;
}

Session::Batch Session::choose(int round, std::size_t count, const std::vector<Trial>& lesson) {
  Batch batch{.round = round, .candidates = {}};
  if (count == 0) return batch;
  parts_.proposer->learn(lesson);
  batch.candidates = given(count);
  const auto is_known = [&](const std::string& key) {
    return known_.contains(key) || !parts_.meter->knows(key);
  };
  Proposals proposals = parts_.proposer->propose(round, count - batch.candidates.size(), is_known);
  batch.search_s = proposals.search_s;
  batch.score_s = proposals.score_s;
  for (Candidate& candidate : proposals.candidates) {
    known_.insert(candidate.key);
    batch.candidates.push_back(std::move(candidate));
  }
  std::vector<schedule::Steps> steps;
  for (const Candidate& candidate : batch.candidates) steps.push_back(candidate.steps);
  if (!steps.empty()) parts_.meter->announce(steps);
  return batch;
}

Session::Batch Session::await(std::future<Batch> choosing) {
  summary_.progress.doing = "choosing candidates";
  while (choosing.wait_for(std::chrono::duration<double>(kTickS)) == std::future_status::timeout) {
    tell(Tick{});
  }
  return choosing.get();
}

std::vector<Trial> Session::collect(const Batch& batch) {
  summary_.progress.doing = "building and measuring";
  std::vector<Trial> trials;
  while (trials.size() < batch.candidates.size()) {
    std::optional<measure::Measurement> result = parts_.meter->next(kTickS);
    if (!result) {
      tell(Tick{});
      continue;
    }
    Trial trial{batch.candidates[trials.size()], batch.round, std::move(*result), 0};
    // A run that only repeats times has only their clock.
    trial.at_s = parts_.meter->is_live()
                     ? clock_s()
                     : summary_.progress.at_s + trial.measurement.build_s + trial.measurement.run_s;
    folder_.append(record_of(trial), note_of(trial));
    add(trial);
    const int number = summary_.progress.trials - 1;
    const bool is_best = number == summary_.progress.best_trial;
    if (is_best) folder_.say(fmt::format("trial {}: {}", number, print_time(trial.best_s())));
    if (!trial.is_ok()) {
      folder_.say(fmt::format("trial {}: {}: {}", number, worker::to_string(trial.measurement.status),
                              trial.measurement.message));
    }
    tell(TrialEnded{number, trial, is_best});
    trials.push_back(std::move(trial));
  }
  return trials;
}

void Session::add(const Trial& trial) {
  summary_.progress.count(trial);
  if (parts_.baseline && baseline_ < 0 && trial.candidate.key == schedule::to_json(*parts_.baseline)) {
    baseline_ = summary_.progress.trials - 1;
    if (trial.is_ok()) summary_.progress.baseline_s = trial.best_s();
  }
  trials_.push_back(trial);
}

void Session::end_round(const Batch& batch, const std::vector<Trial>& trials) {
  Progress& progress = summary_.progress;
  progress.split.search_s += batch.search_s;
  progress.split.score_s += batch.score_s;
  const Ranking ranking = ranking_of(trials);
  progress.round = {.round = batch.round,
                    .search_s = batch.search_s,
                    .score_s = batch.score_s,
                    .rank_correlation = ranking.rank_correlation,
                    .top1 = ranking.top1};
  folder_.append(progress.round);
  tell(RoundEnded{progress.round});
  tell_trouble();
}

void Session::tell_trouble() {
  if (told_trouble_ || folder_.table_trouble().empty()) return;
  told_trouble_ = true;
  tell(Noted{fmt::format("{} is no longer written: {}", kDatabaseFile, folder_.table_trouble())});
}

void Session::find_winner() {
  if (!summary_.has_answer()) return;
  summary_.progress.doing = "measuring the best again";
  tell(Tick{});
  summary_.finals = finals_of(trials_, baseline_, *parts_.meter, finals_budget_s(options_));
  tell(FinalsEnded{*summary_.finals});
}

void Session::write_summary(record::RunState state) {
  summary_.state = state;
  if (parts_.meter->is_live()) summary_.progress.at_s = clock_s();
  if (summary_.has_answer()) {
    const Finals::Finalist* winner = summary_.finals ? summary_.finals->winning() : nullptr;
    const int trial = winner != nullptr ? winner->trial : summary_.progress.best_trial;
    summary_.best_steps = trials_[static_cast<std::size_t>(trial)].candidate.key;
  }
  folder_.write(kSummaryFile, to_json(summary_) + "\n");
  if (state == record::RunState::Running) return;
  folder_.append(record::End{state, summary_.baseline_s(), summary_.best_s()});
  folder_.say(fmt::format("{}: {} trials, {} failed", record::to_string(state),
                          summary_.progress.trials, summary_.progress.failed()));
}

}  // namespace hone::tune
