#include "feature/stage_facts.h"

#include <algorithm>

#include "feature/context.h"
#include "schedule/original_ops.h"
#include "schedule/threads.h"

namespace hone::feature {
namespace {

using schedule::State;

// Loops that were split or fused stand where what became of them stands.
void spread_places(const schedule::Stage& stage, std::vector<double>& places) {
  const auto at = [&](int loop) -> double& { return places[static_cast<std::size_t>(loop)]; };
  for (auto it = stage.relations.rbegin(); it != stage.relations.rend(); ++it) {
    if (it->kind == schedule::Relation::Kind::Split) {
      at(it->whole) = at(it->inner);
    } else {
      at(it->outer) = at(it->inner) = at(it->whole);
    }
  }
}

void place_loops(const State& state, int s, StageFacts& facts) {
  const schedule::Stage& stage = state.stages[static_cast<std::size_t>(s)];
  facts.outside.assign(stage.loops.size(), 0);
  facts.inside.assign(stage.loops.size(), 0);
  double product = facts.times;
  for (const schedule::Iterator& iter : stage.iters) {
    facts.outside[static_cast<std::size_t>(iter.loop)] = product;
    product *= static_cast<double>(state.bounds.extent(s, iter.loop));
  }
  for (const schedule::Iterator& iter : stage.iters) {
    const auto loop = static_cast<std::size_t>(iter.loop);
    const auto extent = static_cast<double>(state.bounds.extent(s, iter.loop));
    facts.inside[loop] = product / (facts.outside[loop] * extent);
  }
  spread_places(stage, facts.outside);
  spread_places(stage, facts.inside);
}

void measure(const State& state, int s, StageFacts& facts) {
  const auto at = static_cast<std::size_t>(s);
  const task::Op& op = state.task->ops[at];
  for (const schedule::LoopPlace& place : schedule::attach_path(state, s))
    facts.times *= static_cast<double>(state.bounds.extent(place.stage, place.loop));
  facts.elements = 1;
  const auto& region = state.bounds.stages[at].region;
  for (std::size_t a = 0; a < op.axes.size() && a < region.size(); ++a)
    facts.elements *= static_cast<double>(region[a].extent);
  facts.bytes = facts.elements * ir::size_bytes(op.output()->type.scalar);
  place_loops(state, s, facts);
}

}  // namespace

std::vector<StageFacts> stage_facts(const NotedState& noted) {
  const State& state = noted.state;
  std::vector<StageFacts> all(state.stages.size());
  for (const StepNote& note : noted.notes) {
    StageFacts& facts = all[static_cast<std::size_t>(note.stage)];
    facts.is_read_copy |= note.kind == PrimitiveKind::CacheRead;
    facts.is_write_copy |= note.kind == PrimitiveKind::CacheWrite;
    facts.is_partial |= note.kind == PrimitiveKind::Rfactor;
  }
  for (const int output : state.task->outputs()) all[static_cast<std::size_t>(output)].is_output = true;
  const std::vector<int> original = schedule::original_ops(state);
  // Steps add ops but leave the work of an op where it was: the one with most work is still the same.
  const int main = original[static_cast<std::size_t>(main_op(*state.task))];
  for (std::size_t s = 0; s < all.size(); ++s) {
    StageFacts& facts = all[s];
    const task::Op& op = state.task->ops[s];
    facts.reduces = op.reducer != task::Reducer::None;
    facts.is_main = original[s] == main;
    facts.is_behind = original[s] > main;
    facts.is_inlined = state.stages[s].location == schedule::Location::Inlined;
    if (!facts.is_inlined && !op.is_placeholder()) measure(state, static_cast<int>(s), facts);
  }
  return all;
}

}  // namespace hone::feature
