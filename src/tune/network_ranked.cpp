// Networks without trials: every task runs what the scorer ranks first.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "codegen/compile.h"
#include "graph/algorithms.h"
#include "ir/type.h"
#include "measure/bandwidth.h"
#include "measure/measurer.h"
#include "score/analytic.h"
#include "tune/cycle_columns.h"
#include "tune/make_proposer.h"
#include "tune/network_session.h"

namespace hone::tune {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

constexpr std::size_t kTries = 8;              // candidates of which one will build
constexpr std::uint64_t kAlgorithms = 0xa190;  // apart from the streams of searches

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool builds(const TaskPtr& task, const schedule::Steps& steps, const target::Target& target) {
  try {
    codegen::compile(task, steps, target);
    return true;
  } catch (const std::exception&) {  // as a trial it would have failed
    return false;
  }
}

std::optional<Candidate> favourite(const TaskPtr& task, const target::Target& target,
                                   const Options& options,
                                   const std::shared_ptr<const score::Network>& scorer) {
  auto candidates = std::make_unique<SpaceCandidates>(make_space(task, target, options.space));
  const std::unique_ptr<Proposer> proposer =
      make_proposer(task, target, std::move(candidates), options, {}, scorer);
  const auto none_is_known = [](const std::string& /*key*/) { return false; };
  for (Candidate& candidate : proposer->propose(0, kTries, none_is_known).candidates) {
    if (builds(task, candidate.steps, target)) return std::move(candidate);
  }
  return std::nullopt;
}

// By analysis: scores of trained scorers compare the candidates of one task only.
double cycles_of(const TaskPtr& task, const schedule::Steps& steps, const target::Target& target) {
  const score::Analytic analytic(cycle_columns());
  const score::Sample sample = featuriser(task, target, nullptr)(steps);
  return 1 / analytic.predict(std::span(&sample, 1))[0].score;
}

double weight_bytes(const task::Task& task) {
  double bytes = 0;
  for (const worker::BufferSpec& buffer : measure::buffers_of(task)) {
    if (buffer.role == worker::Role::Constant)
      bytes += static_cast<double>(buffer.elements * ir::size_bytes(buffer.type));
  }
  return bytes;
}

// What algorithms differ by: cycles, and how many weights they read from memory.
struct Rates {
  double cycle_s = 0, weight_byte_s = 0;

  double seconds(double cycles, const task::Task& task) const {
    return cycles * cycle_s + weight_byte_s * weight_bytes(task);
  }
};

// As fast as memory is here, and so that what was measured in the untuned network takes what it took.
Rates rates_of(const Plan& plan, const std::vector<Lane>& lanes,
               const std::vector<ChoiceState>& measured) {
  constexpr double kLeastComputing = 0.3;  // of the time
  const target::Target& target = lanes.front().target();
  Rates rates;
  if (are_weights_cold(plan, target))
    rates.weight_byte_s = 1e-9 / measure::measured_bandwidth_gbs(target, target.cores);
  double all_s = 0, reading_s = 0, cycles = 0;
  for (std::size_t c = 0; c < plan.choices.size(); ++c) {
    const Lane& lane = lanes[at(plan.choices[c].alternatives[0].task)];
    if (!std::isfinite(measured[c].untuned_s) || !lane.untuned()) continue;
    all_s += measured[c].untuned_s;
    reading_s += rates.weight_byte_s * weight_bytes(lane.task());
    cycles += cycles_of(lane.shared_task(), lane.untuned()->steps, target);
  }
  if (cycles > 0) rates.cycle_s = std::max(all_s - reading_s, kLeastComputing * all_s) / cycles;
  return rates;
}

}  // namespace

// The algorithm is the one whose favourite takes the least time; with a random scorer a random one.
// Places keep their plain form: whether another one pays shows in the network only.
void NetworkSession::choose_by_rank() {
  const bool by_chance = options_.run.scorer_file.empty() && options_.run.scorer == ScorerKind::Random;
  const Rates rates = by_chance ? Rates{} : rates_of(plan_, lanes_, summary_.progress.choices);
  for (std::size_t c = 0; c < plan_.choices.size() && !stop_; ++c) {
    const bool is_wanted =
        plan_.choices[c].form == graph::Form::Plain &&
        (options_.only.empty() || std::ranges::count(options_.only, static_cast<int>(c)) > 0);
    std::vector<Alternative> alternatives = plan_.choices[c].alternatives;
    const bool is_measured = std::ranges::any_of(
        alternatives, [&](const Alternative& one) { return lanes_[at(one.task)].best() >= 0; });
    if (!is_wanted || is_measured) continue;
    if (by_chance)
      alternatives = {
          alternatives[random_bits(options_.run.seed, kAlgorithms, c) % alternatives.size()]};
    double least = kUnlimited;
    Lane* lane = nullptr;
    Trial ranked;
    for (const Alternative& one : alternatives) {
      waits_for("ranking candidates");
      const TaskPtr& task = plan_.tasks[at(one.task)];
      const target::Target& target = lanes_[at(one.task)].target();
      const std::optional<Candidate> found = favourite(task, target, options_.run, scorer_);
      const double seconds =
          found ? rates.seconds(cycles_of(task, found->steps, target), *task) : kUnlimited;
      if (seconds >= least) continue;
      least = seconds;
      lane = &lanes_[at(one.task)];
      ranked.candidate = *found;
      summary_.progress.choices[c].algorithm = graph::name_of(one.algorithm);
    }
    ranked.measurement.status = measure::Status::Ok;  // without any time
    if (lane != nullptr) lane->add(ranked);
  }
}

}  // namespace hone::tune
