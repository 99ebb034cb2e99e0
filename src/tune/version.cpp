#include "tune/version.h"

#include <algorithm>

#include "artefact/from_graph.h"
#include "artefact/task_program.h"
#include "artefact/write.h"
#include "base/clock.h"
#include "worker/real_time.h"

namespace hone::tune {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Written {
  std::uint64_t size_bytes = 0;
  std::vector<int> choice_of_step;
};

struct Assigned {
  int choice, trial;
};

// By the identity of their tasks. Of two choices that share one the first decides.
std::map<std::string, Assigned> assign(const Plan& plan, std::size_t network,
                                       const Selection& selection) {
  const std::vector<double> uses = uses_of(plan, network, selection.options);
  std::map<std::string, Assigned> all;
  for (std::size_t i = 0; i < selection.picks.size(); ++i) {
    if (uses[i] == 0) continue;
    const Pick& pick = selection.picks[i];
    const int task = plan.choices[i].alternatives[at(pick.alternative)].task;
    all.try_emplace(artefact::identity_of(*plan.tasks[at(task)]),
                    Assigned{static_cast<int>(i), pick.trial});
  }
  return all;
}

Written write(const Plan& plan, std::size_t network, const std::vector<Lane>& lanes,
              const Selection& selection, const std::string& path) {
  const std::map<std::string, Assigned> assigned = assign(plan, network, selection);
  std::vector<int> choice_of_kernel;
  artefact::FromGraphOptions options{.target = lanes[0].target(), .threads = lanes[0].target().cores};
  options.tuned = [&](const task::Task& task) -> std::optional<artefact::TunedSchedule> {
    // Conversions, and what layouts tore apart, are no choice's.
    const auto found = assigned.find(artefact::identity_of(task));
    const auto [choice, trial] = found != assigned.end() ? found->second : Assigned{-1, -1};
    choice_of_kernel.push_back(choice);
    if (trial < 0) return std::nullopt;
    const int alternative = selection.picks[at(choice)].alternative;
    const int number = plan.choices[at(choice)].alternatives[at(alternative)].task;
    const Lane& lane = lanes[at(number)];
    const Trial& tuned = lane.trials()[at(trial)];
    const bool is_measured = !tuned.measurement.seconds.empty();
    return artefact::TunedSchedule{
        .steps = tuned.candidate.steps,
        .record = is_measured ? record::to_line(lane.record_of(tuned)) : std::string()};
  };
  std::vector<int> alternatives;
  for (const Pick& pick : selection.picks) alternatives.push_back(pick.alternative);
  const artefact::Artefact made =
      artefact::from_graph(arranged(plan, network, selection.options, alternatives), options);
  Written written{artefact::write(artefact::build(made), path), {}};
  for (const artefact::Step& step : made.variants[0].program.steps) {
    const auto* call = std::get_if<artefact::KernelCall>(&step.action);
    written.choice_of_step.push_back(call != nullptr ? choice_of_kernel[at(call->kernel)] : -1);
  }
  return written;
}

}  // namespace

Selection untuned_selection(const Plan& plan, std::size_t network) {
  return {std::vector<int>(plan.networks[network].places.size()),
          std::vector<Pick>(plan.choices.size())};
}

Version::Version(const Plan& plan, std::size_t network, const std::vector<Lane>& lanes,
                 Selection selection, const std::string& path)
    : selection_(std::move(selection)),
      uses_(uses_of(plan, network, selection_.options)),
      session_([&] {
        const double start = now_s();
        Written written = write(plan, network, lanes, selection_, path);
        build_s_ = now_s() - start;
        size_bytes_ = written.size_bytes;
        choice_of_step_ = std::move(written.choice_of_step);
        return artefact::Session(path);
      }()),
      tensors_(session_),
      steps_s_(choice_of_step_.size(), kNever) {}

void Version::take_turn(int runs, bool by_choice) {
  const worker::RealTime real_time;  // before the first run: the pool's threads inherit it
  run_once();
  for (int i = 0; i < runs; ++i) {
    std::vector<std::int64_t> step_ns(by_choice ? choice_of_step_.size() : 0);
    const double start = now_s();
    run_once(by_choice ? step_ns.data() : nullptr);
    const double seconds = now_s() - start;
    breather_.spent(seconds);
    if (!by_choice) best_s_ = std::min(best_s_, seconds);
    for (std::size_t k = 0; k < step_ns.size(); ++k)
      steps_s_[k] = std::min(steps_s_[k], static_cast<double>(step_ns[k]) * 1e-9);
  }
  if (!by_choice) return;
  choices_s_.assign(selection_.picks.size(), 0);
  rest_s_ = 0;
  for (std::size_t k = 0; k < steps_s_.size(); ++k) {
    const int choice = choice_of_step_[k];
    (choice < 0 ? rest_s_ : choices_s_[at(choice)]) += steps_s_[k];
  }
  for (std::size_t c = 0; c < uses_.size(); ++c)
    choices_s_[c] = uses_[c] > 0 ? choices_s_[c] / uses_[c] : kNever;
}

}  // namespace hone::tune
