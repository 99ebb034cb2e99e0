#include "space/sketch.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "space/rules/rules.h"

namespace hone::space {
namespace {

// Far beyond the sketches of a network's task; a rule that decides a stage again and again ends here.
constexpr std::size_t kMaxDrafts = 100'000;

// A draft with the facts of its DAG, which drafts of the same DAG share.
struct Studied {
  Draft draft;
  std::shared_ptr<const task::Analysis> analysis;
};

// Steps that change the DAG add ops to it, so drafts with as many ops as before have the same DAG.
Studied study(Draft draft, const std::shared_ptr<const task::Analysis>& before) {
  const task::Task& task = *draft.state.task;
  const bool is_same = before && before->reads.size() == task.ops.size();
  auto analysis = is_same ? before : std::make_shared<const task::Analysis>(task::analyse(task));
  return {std::move(draft), std::move(analysis)};
}

// Everything that the rules make of the draft's next stage.
void decide_stage(const std::vector<Rule>& rules, const Studied& from, const Hardware& hardware,
                  const TileLevels& levels, std::vector<Studied>& out) {
  const Site site{from.draft.state, from.draft.next, *from.analysis, hardware, levels};
  for (const Rule& rule : rules) {
    const Answer answer = rule.condition(site);
    if (answer == Answer::Skip) continue;
    for (Draft& draft : rule.apply(site)) {
      const auto n_stages = static_cast<int>(draft.state.stages.size());
      if (draft.next >= n_stages) {
        throw UserError(
            fmt::format("rule {} goes on with stage {} of {}", rule.name, draft.next, n_stages));
      }
      out.push_back(study(std::move(draft), from.analysis));
    }
    if (answer == Answer::Only) return;
  }
}

}  // namespace

std::vector<Rule> ansor_rules(Hardware::Kind kind) {
  if (kind == Hardware::Kind::Gpu) {
    return {rules::add_cache_read(),        rules::special_compute_location(), rules::always_inline(),
            rules::simplify_const_tensor(), rules::cross_thread_reduction(),   rules::add_cache_write(),
            rules::tiling_with_fusion(),    rules::multi_level_tiling(),       rules::skip()};
  }
  return {rules::always_inline(),
          rules::simplify_const_tensor(),
          rules::add_rfactor(),
          rules::add_cache_write(),
          rules::tiling_with_fusion(),
          rules::multi_level_tiling(),
          rules::skip()};
}

std::vector<Sketch> sketches_by(const std::vector<Rule>& rules,
                                const std::shared_ptr<const task::Task>& task, const Hardware& hardware,
                                const TileLevels& levels) {
  const auto last = static_cast<int>(task->ops.size()) - 1;
  std::vector<Studied> now, next;
  now.push_back(study({schedule::initial_state(task), last}, nullptr));
  std::vector<Sketch> finished;
  for (std::size_t n_drafts = 0; !now.empty(); now = std::exchange(next, {})) {
    for (Studied& studied : now) {
      if (studied.draft.next < 0) {
        finished.push_back({std::move(studied.draft.state.steps)});
        continue;
      }
      if (++n_drafts > kMaxDrafts) {
        throw UserError(
            fmt::format("the sketch rules make more than {} drafts", kMaxDrafts),
            "cut the task in two, or look for a rule that applies to its stage again and again");
      }
      decide_stage(rules, studied, hardware, levels, next);
    }
  }
  return finished;
}

std::vector<Sketch> sketches(const std::shared_ptr<const task::Task>& task, const Hardware& hardware,
                             const SketchOptions& options) {
  const TileLevels levels = options.structure.empty() ? usual_tile_levels(hardware.kind)
                                                      : parse_tile_levels(options.structure);
  std::vector<Rule> all = options.rules;
  for (Rule& rule : ansor_rules(hardware.kind)) all.push_back(std::move(rule));
  return sketches_by(all, task, hardware, levels);
}

}  // namespace hone::space
