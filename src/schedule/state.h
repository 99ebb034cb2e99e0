// A task with steps applied: stages, their iterators, and who is computed inside whom.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schedule/bounds.h"
#include "schedule/step.h"
#include "task/task.h"

namespace hone::schedule {

enum class IterKind : std::uint8_t { Spatial, Reduction, Mixed, Special };
enum class Location : std::uint8_t { Root, Inlined, Iter };

// One loop of a stage as the steps name it.
struct Iterator {
  std::string name;                    // "i.0", "i.0@j.0@"
  int loop = 0;                        // its number among Stage::loops
  std::optional<std::int64_t> extent;  // empty until known
  IterKind kind = IterKind::Spatial;
  ir::LoopKind annotation = ir::LoopKind::Serial;
};

// How loops were made of others: whole = outer * extent(inner) + inner.
struct Relation {
  enum class Kind : std::uint8_t { Split, Fuse };
  Kind kind;
  int whole, outer, inner;
  std::int64_t size = 0;  // Split: extent of inner, or of outer when `by_parts`; 0 while open
  bool by_parts = false;
};

// What the iterations of a loop read of a tensor is asked for before they come.
struct Ahead {
  int loop;     // its number among Stage::loops
  int operand;  // the stage whose result it is
  int iterations;
};

// Computes op number i of the task, where i is the stage's own position in State::stages.
struct Stage {
  std::string name;
  std::vector<Iterator> iters;  // outer to inner
  // Every loop there ever was: the op's axes, its reduce axes, then those that steps made. The value is
  // the position in `relations` of the step that made the loop, -1 for an axis and for a unit loop.
  std::vector<int> loops;
  std::vector<Relation> relations;  // in the order of making

  Location location = Location::Root;
  int attach_stage = -1, attach_iter = -1;  // when location is Iter
  int attach_order = 0;                     // of the stages at one iterator, the least comes first
  std::optional<ir::Scope> scope;           // empty: follows from the threads around the stage
  int auto_unroll_max_step = -1;            // -1 when no pragma was given
  int auto_unroll_loop = -1;                // the loop that carries the pragma
  int align_loop = -1;  // steps along this axis are `align_offset` beyond multiples of `align_factor`
  int align_factor = 0, align_offset = 0;
  std::vector<Ahead> ahead;
};

struct State {
  std::shared_ptr<const task::Task> task;  // the current DAG: grows by CHR, CHW and RF
  bool task_is_own =
      false;  // `task` was made by a step, so it may be changed while nobody else holds it
  std::vector<Stage> stages;
  Steps steps;    // the history
  Bounds bounds;  // empty until infer_bounds
};

// No loop is longer, whatever a record says: arithmetic on extents stays far from overflow.
inline constexpr std::int64_t kMaxLoopExtent = std::int64_t{1} << 40;

State initial_state(std::shared_ptr<const task::Task> task);
// Applies the steps one by one. Throws UserError naming the step when one is illegal; extents that a
// step leaves unknown stay empty until infer_bounds.
State replay(std::shared_ptr<const task::Task> task, const Steps& steps);
void apply(State& state, const Step& step);
// Fills in `bounds` and every iterator's extent (ansor.md 3). Throws UserError when a split length is
// open or when a stage is computed where not all of its readers can see it.
void infer_bounds(State& state);

std::string print(const State& state);  // TVM's text of a state; loops of extent 1 are left out

}  // namespace hone::schedule
