// Networks without trials: every task runs what the scorer ranks first.
#include <algorithm>

#include "base/error.h"
#include "base/random.h"
#include "codegen/compile.h"
#include "graph/algorithms.h"
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

}  // namespace

// The algorithm is the one whose favourite takes the fewest cycles; with a random scorer a random one.
// Places keep their plain form: whether another one pays shows in the network only.
void NetworkSession::choose_by_rank() {
  const bool by_chance = options_.run.scorer_file.empty() && options_.run.scorer == ScorerKind::Random;
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
      const double cycles = found ? cycles_of(task, found->steps, target) : kUnlimited;
      if (cycles >= least) continue;
      least = cycles;
      lane = &lanes_[at(one.task)];
      ranked.candidate = *found;
      summary_.progress.choices[c].algorithm = graph::name_of(one.algorithm);
    }
    ranked.measurement.status = measure::Status::Ok;  // without any time
    if (lane != nullptr) lane->add(ranked);
  }
}

}  // namespace hone::tune
