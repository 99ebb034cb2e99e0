// What each step of a program did, told in terms of the finished program: ids of stages shift while
// steps are replayed, and extents are only known at the end.
#pragma once
#include <memory>
#include <vector>

#include "feature/primitive.h"
#include "schedule/state.h"

namespace hone::feature {

struct StepNote {
  PrimitiveKind kind;
  int stage;               // in the finished state; of a step that makes a stage the new one
  std::vector<int> loops;  // that it acted on, outermost first
  std::vector<int> made;   // that it made, or put in this order, outermost first
  int target_stage = -1;   // where it put the stage
  int target_loop = -1;
  // The extents of `made` as they were known, 0 when they were not: what is left of a stage that was
  // written anew by a later step, and with it its loops.
  std::vector<std::int64_t> known_extents;
  bool is_replaced = false;
};

struct NotedState {
  schedule::State state;  // with its bounds
  std::vector<StepNote> notes;

  // Of a loop that note `n` made; 0 when it cannot be known.
  std::int64_t made_extent(const StepNote& note, std::size_t i) const;
};

// Throws UserError as replay and infer_bounds do.
NotedState replay_noted(std::shared_ptr<const task::Task> task, const schedule::Steps& steps);

}  // namespace hone::feature
