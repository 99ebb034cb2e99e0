// A task with steps applied: stages, their iterators, and who is computed inside whom.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/step.h"
#include "task/task.h"

namespace hone::schedule {

enum class IterKind : std::uint8_t { Spatial, Reduction, Mixed, Special };
enum class Location : std::uint8_t { Root, Inlined, Iter };

struct Iterator {
  std::string name;
  std::optional<std::int64_t> min, extent;  // empty until known
  IterKind kind = IterKind::Spatial;
  ir::LoopKind annotation = ir::LoopKind::Serial;
};

struct Stage {
  int op = 0;                   // in State::task->ops; equal to the stage's own id
  std::vector<Iterator> iters;  // outer to inner
  Location location = Location::Root;
  int attach_stage = -1, attach_iter = -1;  // when location is Iter
  int auto_unroll_max_step = 0;
  bool has_auto_unroll = false;
  int storage_offset = 0;
};

struct State {
  std::shared_ptr<const task::Task> task;  // the current DAG: grows by CHR, CHW and RF
  std::vector<Stage> stages;
  Steps steps;  // the history
};

State initial_state(std::shared_ptr<const task::Task> task);
// Applies the steps one by one. Throws UserError naming the step when one is illegal; extents that a
// step leaves unknown stay empty until infer_bounds.
State replay(std::shared_ptr<const task::Task> task, const Steps& steps);
void apply(State& state, const Step& step);
// Fills in every iterator's range (ansor.md 3).
void infer_bounds(State& state);

std::string print(const State& state);  // TVM's text of a state; loops of extent 1 are left out

}  // namespace hone::schedule
