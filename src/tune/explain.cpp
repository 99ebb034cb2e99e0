#include "tune/explain.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "score/ablation.h"
#include "space/alternatives.h"
#include "space/space.h"
#include "tune/explain_aspects.h"

namespace hone::tune {
namespace {

using schedule::Steps;

space::Space space_of(const Subject& subject) {
  const std::vector<space::Sketch> sketches = space::sketches(subject.task, subject.hardware);
  return subject.space == SpaceKind::Hone
             ? space::hone_space(subject.task, sketches, subject.target)
             : space::ansor_space(subject.task, sketches, subject.hardware);
}

// Programs drawn at random; those that cannot be drawn or built are left out.
std::vector<Steps> draw(const Subject& subject, const ExplainOptions& options) {
  const space::Space space = space_of(subject);
  std::vector<std::optional<Steps>> drawn(options.samples);
  parallel_for(drawn.size(), options.threads, [&](std::size_t i) {
    Random random(options.seed, i);
    if (const auto decisions = space.sample(random)) drawn[i] = space.decode(*decisions);
  });
  std::vector<Steps> out;
  for (std::optional<Steps>& steps : drawn)
    if (steps) out.push_back(std::move(*steps));
  return out;
}

class Explainer {
 public:
  Explainer(const Subject& subject, const AnyScorer& scorer, const ExplainOptions& options)
      : subject_(subject),
        scorer_(scorer),
        options_(options),
        samples_(scorer, subject.task, subject.hardware, subject.target) {}

  Explanation run() {
    const ReadProgram program = read_whole();
    Explanation out;
    out.said = scorer_.model->predict({&program.sample, 1}).front();
    out.state = program.replayed->state();
    log_worth_ = score::log_worth(out.said);
    const std::vector<ReadProgram> random = read_random();
    out.samples = random.size();
    out.rank = rank_of(log_worth_);
    out.steps = explain_steps();
    out.aspects = explain_aspects(scorer_, program, random);
    return out;
  }

 private:
  ReadProgram read_whole() const {
    ReadProgram program;
    program.replayed =
        std::make_shared<const feature::Replayed>(subject_.task, subject_.steps, subject_.hardware);
    std::optional<score::Sample> sample = samples_.of(*program.replayed);
    if (!sample) throw UserError("the program has no statement that the scorer could read");
    program.sample = std::move(*sample);
    return program;
  }

  // Nothing when it cannot be built.
  std::optional<ReadProgram> read(const Steps& steps) const {
    try {
      auto replayed =
          std::make_shared<const feature::Replayed>(subject_.task, steps, subject_.hardware);
      std::optional<score::Sample> sample = samples_.of(*replayed);
      if (!sample) return std::nullopt;
      return ReadProgram{std::move(replayed), std::move(*sample)};
    } catch (const UserError&) {
      return std::nullopt;
    }
  }
  std::vector<std::optional<ReadProgram>> read(const std::vector<Steps>& programs) const {
    std::vector<std::optional<ReadProgram>> out(programs.size());
    parallel_for(out.size(), options_.threads, [&](std::size_t i) { out[i] = read(programs[i]); });
    return out;
  }

  std::vector<double> log_worths(const std::vector<ReadProgram>& programs) const {
    std::vector<score::Sample> samples;
    for (const ReadProgram& program : programs) samples.push_back(program.sample);
    std::vector<double> out;
    for (const score::Prediction& said : scorer_.model->predict(samples))
      out.push_back(score::log_worth(said));
    return out;
  }

  std::vector<ReadProgram> read_random() {
    std::vector<ReadProgram> random;
    for (std::optional<ReadProgram>& program : read(draw(subject_, options_)))
      if (program) random.push_back(std::move(*program));
    random_ = log_worths(random);
    return random;
  }

  std::size_t rank_of(double log_worth) const {
    return 1 + static_cast<std::size_t>(
                   std::ranges::count_if(random_, [&](double other) { return other > log_worth; }));
  }

  std::vector<ExplainedStep> explain_steps() const {
    const std::vector<space::Alternative> others =
        space::alternatives(subject_.task, subject_.steps, subject_.hardware.kind);
    std::vector<Steps> programs;
    for (const space::Alternative& other : others) programs.push_back(other.steps);
    std::vector<const space::Alternative*> known;
    std::vector<ReadProgram> readable;
    std::vector<std::optional<ReadProgram>> made = read(programs);
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!made[i]) continue;
      readable.push_back(std::move(*made[i]));
      known.push_back(&others[i]);
    }
    return told(known, log_worths(readable));
  }

  std::vector<ExplainedStep> told(const std::vector<const space::Alternative*>& known,
                                  const std::vector<double>& worths) const {
    std::vector<ExplainedStep> out;
    schedule::State state = schedule::initial_state(subject_.task);
    for (std::size_t step = 0; step < subject_.steps.size(); ++step) {
      ExplainedStep& explained = out.emplace_back();
      explained.text = schedule::text_of(state, subject_.steps[step]);
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i]->step != step) continue;
        explained.others.push_back(
            {schedule::other_value(state, subject_.steps[step], known[i]->steps[step]),
             known[i]->is_undone, worths[i] - log_worth_, rank_of(worths[i])});
      }
      std::ranges::stable_sort(explained.others, std::ranges::greater{}, &Otherwise::gain);
      schedule::apply(state, subject_.steps[step]);
    }
    return out;
  }

  const Subject& subject_;
  const AnyScorer& scorer_;
  const ExplainOptions& options_;
  const SampleMaker samples_;
  double log_worth_ = 0;        // of the program
  std::vector<double> random_;  // of the random ones
};

}  // namespace

Explanation explain(const Subject& subject, const AnyScorer& scorer, const ExplainOptions& options) {
  return Explainer(subject, scorer, options).run();
}

}  // namespace hone::tune
