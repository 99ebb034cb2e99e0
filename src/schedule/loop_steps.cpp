// Steps on the loops of one stage: annotate, fuse, reorder, pragma, storage align, prefetch.
#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "schedule/apply.h"

namespace hone::schedule {
namespace {

constexpr std::string_view kAutoUnroll = "auto_unroll_max_step$";
// Splitting a loop and fusing its parts again doubles its name.
constexpr std::size_t kMaxNameLength = 4096;

void check_consecutive(const State& state, const Fuse& step) {
  for (std::size_t i = 1; i < step.iters.size(); ++i) {
    if (step.iters[i] != step.iters[i - 1] + 1) {
      throw UserError("only neighbouring iterators can be fused, outermost first");
    }
  }
  for (std::size_t i = 0; i + 1 < step.iters.size(); ++i) {
    if (has_attached(state, step.stage, step.iters[i])) {
      throw UserError(fmt::format(
          "a stage is computed at iterator {}, which is not the last of the fused", step.iters[i]));
    }
  }
}

// What the members make together, but for the loop.
Iterator fused_iterator(Stage& stage, const std::vector<int>& members) {
  Iterator result{"", -1, 1, IterKind::Spatial, ir::LoopKind::Serial};
  for (const int iter : members) {
    const Iterator& member = iterator(stage, iter);
    const bool is_first = result.name.empty();
    result.kind = is_first || result.kind == member.kind ? member.kind : IterKind::Mixed;
    result.name += member.name + '@';
    result.extent = result.extent && member.extent
                        ? std::optional(extent_product(*result.extent, *member.extent))
                        : std::nullopt;
  }
  if (result.name.size() > kMaxNameLength) {
    throw UserError(fmt::format("{} was split and fused too often", stage.name));
  }
  return result;
}

// Fuses the members' loops from the outside in; a unit loop when there are none.
int fuse_loops(Stage& stage, const std::vector<int>& members) {
  int fused = -1;
  for (const int iter : members) {
    const int loop = iterator(stage, iter).loop;
    if (fused < 0) {
      fused = loop;
      continue;
    }
    const auto whole = static_cast<int>(stage.loops.size());
    stage.loops.push_back(static_cast<int>(stage.relations.size()));
    stage.relations.push_back({Relation::Kind::Fuse, whole, fused, loop});
    fused = whole;
  }
  if (fused >= 0) return fused;
  stage.loops.push_back(-1);
  return static_cast<int>(stage.loops.size()) - 1;
}

}  // namespace

void apply_step(State& state, const Annotate& step) {
  Iterator& iter = iterator(compute_stage(state, step.stage), step.iter);
  if (step.annotation < ir::LoopKind::Serial || step.annotation > ir::LoopKind::Tensorized) {
    throw UserError(fmt::format("there is no annotation {}", static_cast<int>(step.annotation)));
  }
  if (iter.annotation != ir::LoopKind::Serial) {
    throw UserError(fmt::format("{} is already annotated ({})", iter.name, to_string(iter.annotation)));
  }
  iter.annotation = step.annotation;
}

void apply_step(State& state, const Fuse& step) {
  Stage& stage = compute_stage(state, step.stage);
  for (const int iter : step.iters) iterator(stage, iter);
  check_consecutive(state, step);
  if (step.iters.empty() && !stage.iters.empty()) {
    throw UserError(fmt::format("{} has iterators, so some must be fused", stage.name));
  }
  Iterator result = fused_iterator(stage, step.iters);
  result.loop = fuse_loops(stage, step.iters);
  if (step.iters.empty()) {
    stage.iters.push_back(std::move(result));
    return;
  }
  const int first = step.iters.front();
  const int removed = static_cast<int>(step.iters.size()) - 1;
  stage.iters[static_cast<std::size_t>(first)] = std::move(result);
  stage.iters.erase(stage.iters.begin() + first + 1, stage.iters.begin() + first + 1 + removed);
  move_attached(state, step.stage, [&](int iter) { return iter > first ? iter - removed : iter; });
}

void apply_step(State& state, const Reorder& step) {
  Stage& stage = compute_stage(state, step.stage);
  if (step.order.size() != stage.iters.size()) {
    throw UserError(fmt::format("the order has {} entries for {} iterators of {}", step.order.size(),
                                stage.iters.size(), stage.name));
  }
  std::vector<int> place(stage.iters.size(), -1);
  for (std::size_t i = 0; i < step.order.size(); ++i) {
    iterator(stage, step.order[i]);
    int& slot = place[static_cast<std::size_t>(step.order[i])];
    if (slot >= 0) throw UserError(fmt::format("iterator {} stands twice in the order", step.order[i]));
    slot = static_cast<int>(i);
  }
  std::vector<Iterator> ordered;
  ordered.reserve(stage.iters.size());
  for (const int iter : step.order) {
    ordered.push_back(std::move(stage.iters[static_cast<std::size_t>(iter)]));
  }
  stage.iters = std::move(ordered);
  move_attached(state, step.stage, [&](int iter) { return place[static_cast<std::size_t>(iter)]; });
}

void apply_step(State& state, const Pragma& step) {
  Stage& stage = compute_stage(state, step.stage);
  const Iterator& iter = iterator(stage, step.iter);
  if (step.text == "debug_skip_region") {
    stage.attach_stage = stage.attach_iter = -1;
    return;
  }
  int steps = 0;
  const char* const end = step.text.data() + step.text.size();
  if (step.text.starts_with(kAutoUnroll)) {
    const auto read = std::from_chars(step.text.data() + kAutoUnroll.size(), end, steps);
    if (read.ec == std::errc() && read.ptr == end && steps >= 0) {
      stage.auto_unroll_max_step = steps;
      stage.auto_unroll_loop = iter.loop;
      return;
    }
  }
  throw UserError(fmt::format("unknown pragma \"{}\"", step.text),
                  "known are auto_unroll_max_step$N and debug_skip_region");
}

void apply_step(State& state, const Prefetch& step) {
  constexpr int kMostIterations = 4096;
  Stage& stage = compute_stage(state, step.stage);
  const Iterator& iter = iterator(stage, step.iter);
  if (step.operand < 0 || step.operand >= static_cast<int>(state.stages.size())) {
    throw UserError(fmt::format("there is no stage {}", step.operand));
  }
  if (step.iterations < 1 || step.iterations > kMostIterations) {
    throw UserError(
        fmt::format("{} iterations ahead are not 1 to {}", step.iterations, kMostIterations));
  }
  stage.ahead.push_back({iter.loop, step.operand, step.iterations});
}

void apply_step(State& state, const StorageAlign& step) {
  Stage& stage = compute_stage(state, step.stage);
  const Iterator& iter = iterator(stage, step.iter);
  if (step.factor <= 0 || step.offset < 0) {
    throw UserError("an alignment has a positive factor and an offset that is not negative");
  }
  stage.align_loop = iter.loop;
  stage.align_factor = step.factor;
  stage.align_offset = step.offset;
}

}  // namespace hone::schedule
