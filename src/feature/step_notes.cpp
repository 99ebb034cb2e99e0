#include "feature/step_notes.h"

#include "base/match.h"

namespace hone::feature {
namespace {

using schedule::State;

// Replays step by step and writes down what each one is about to touch.
class Noter {
 public:
  explicit Noter(std::shared_ptr<const task::Task> task)
      : noted_{schedule::initial_state(std::move(task)), {}} {}

  void apply(const schedule::Step& step) {
    StepNote note{kind_of(step), schedule::stage_of(step), {}, {}, -1, -1, {}, false};
    note_before(step, note);
    const std::size_t stages = state().stages.size();
    const std::size_t iters = iter_count(note.stage);
    schedule::apply(state(), step);
    if (state().stages.size() > stages) move_notes(step, note);
    note_after(step, iters, note);
    noted_.notes.push_back(std::move(note));
  }

  NotedState finish() {
    schedule::infer_bounds(state());
    return std::move(noted_);
  }

 private:
  State& state() { return noted_.state; }

  // Ids come from records: wrong ones are left to `apply`, which refuses them.
  int loop_at(int stage, int iter) {
    if (stage < 0 || stage >= static_cast<int>(state().stages.size())) return -1;
    const auto& iters = state().stages[static_cast<std::size_t>(stage)].iters;
    return iter < 0 || iter >= static_cast<int>(iters.size())
               ? -1
               : iters[static_cast<std::size_t>(iter)].loop;
  }
  std::size_t iter_count(int stage) {
    const bool is_there = stage >= 0 && stage < static_cast<int>(state().stages.size());
    return is_there ? state().stages[static_cast<std::size_t>(stage)].iters.size() : 0;
  }

  void note_before(const schedule::Step& step, StepNote& note) {
    match(
        step,
        [&](const schedule::Fuse& s) {
          for (const int iter : s.iters) note.loops.push_back(loop_at(s.stage, iter));
        },
        [&](const schedule::ComputeAt& s) {
          note.target_stage = s.target_stage;
          note.target_loop = loop_at(s.target_stage, s.target_iter);
        },
        [](const schedule::Reorder&) {}, [](const schedule::ComputeInline&) {},
        [](const schedule::ComputeRoot&) {}, [](const schedule::CacheRead&) {},
        [](const schedule::CacheWrite&) {},
        [&](const auto& s) { note.loops.push_back(loop_at(s.stage, s.iter)); });
  }

  void note_after(const schedule::Step& step, std::size_t iters_before, StepNote& note) {
    const auto make = [&](std::size_t begin, std::size_t end) {
      const auto& iters = state().stages[static_cast<std::size_t>(note.stage)].iters;
      for (std::size_t i = begin; i < end; ++i) {
        note.made.push_back(iters[i].loop);
        note.known_extents.push_back(iters[i].extent.value_or(0));
      }
    };
    const auto split = [&](const auto& s) {
      const auto first = static_cast<std::size_t>(s.iter);
      make(first, first + 1 + iter_count(note.stage) - iters_before);
    };
    match(
        step,
        [&](const schedule::Fuse& s) {
          const auto first = s.iters.empty() ? 0 : static_cast<std::size_t>(s.iters.front());
          make(first, first + 1);
        },
        [&](const schedule::Reorder&) { make(0, iter_count(note.stage)); },
        [&](const schedule::Split& s) { split(s); }, [&](const schedule::FollowSplit& s) { split(s); },
        [&](const schedule::FollowFusedSplit& s) { split(s); }, [](const auto&) {});
  }

  // A stage was put in: behind the one that is read, or in front of the one that is computed, which is
  // then written anew.
  void move_notes(const schedule::Step& step, StepNote& note) {
    const bool is_copy = std::holds_alternative<schedule::CacheRead>(step);
    const int position = note.stage + (is_copy ? 1 : 0);
    for (StepNote& earlier : noted_.notes) {
      if (!is_copy && earlier.stage == note.stage) earlier.is_replaced = true;
      if (earlier.stage >= position) ++earlier.stage;
      if (earlier.target_stage >= position) ++earlier.target_stage;
    }
    note.stage = position;
    note.loops.clear();
  }

  NotedState noted_;
};

}  // namespace

std::int64_t NotedState::made_extent(const StepNote& note, std::size_t i) const {
  return note.is_replaced ? note.known_extents[i] : state.bounds.extent(note.stage, note.made[i]);
}

NotedState replay_noted(std::shared_ptr<const task::Task> task, const schedule::Steps& steps) {
  Noter noter(std::move(task));
  for (const schedule::Step& step : steps) noter.apply(step);
  return noter.finish();
}

}  // namespace hone::feature
