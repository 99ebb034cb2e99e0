#include "schedule/state.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/match.h"
#include "schedule/apply.h"

namespace hone::schedule {
namespace {

// Dots and at-signs are the marks of splitting and fusing in iterator names.
std::string iterator_name(const task::Axis& axis) {
  std::string name;
  for (std::string_view rest = ir::name_of(axis.var); !rest.empty();) {
    const bool is_word = rest.starts_with("outer") || rest.starts_with("inner");
    name += rest.front() == '.' || rest.front() == '@' ? '_' : rest.front();
    rest.remove_prefix(is_word ? 5 : 1);
  }
  return name;
}

void add_iterators(Stage& stage, const std::vector<task::Axis>& axes, IterKind kind) {
  for (const task::Axis& axis : axes) {
    const auto loop = static_cast<int>(stage.loops.size());
    stage.loops.push_back(-1);
    stage.iters.push_back({iterator_name(axis), loop, axis.extent, kind, ir::LoopKind::Serial});
  }
}

}  // namespace

Stage fresh_stage(const task::Op& op) {
  Stage stage;
  stage.name = op.name();
  if (op.is_placeholder()) return stage;
  add_iterators(stage, op.axes, IterKind::Spatial);
  add_iterators(stage, op.reduce_axes, IterKind::Reduction);
  return stage;
}

State initial_state(std::shared_ptr<const task::Task> task) {
  State state;
  state.stages.reserve(task->ops.size() + 4);
  for (const task::Op& op : task->ops) state.stages.push_back(fresh_stage(op));
  state.task = std::move(task);
  return state;
}

void apply(State& state, const Step& step) {
  try {
    std::visit([&](const auto& kind) { apply_step(state, kind); }, step);
  } catch (const UserError& error) {
    throw UserError(fmt::format("step {} ({}): {}", state.steps.size(), code_of(step), error.what()),
                    error.hint());
  }
  state.steps.push_back(step);
  state.bounds = {};
}

State replay(std::shared_ptr<const task::Task> task, const Steps& steps) {
  State state = initial_state(std::move(task));
  state.steps.reserve(steps.size());
  for (const Step& step : steps) apply(state, step);
  return state;
}

std::int64_t extent_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > kMaxLoopExtent) {
    throw UserError(fmt::format("a loop would be longer than {}", kMaxLoopExtent));
  }
  return product;
}

Stage& compute_stage(State& state, int stage) {
  if (stage < 0 || stage >= static_cast<int>(state.stages.size())) {
    throw UserError(fmt::format("there is no stage {}: the state has {}", stage, state.stages.size()));
  }
  const auto id = static_cast<std::size_t>(stage);
  if (state.task->ops[id].is_placeholder()) {
    throw UserError(
        fmt::format("stage {} ({}) is an input and has no loops", stage, state.stages[id].name));
  }
  return state.stages[id];
}

Iterator& iterator(Stage& stage, int iter) {
  if (iter < 0 || iter >= static_cast<int>(stage.iters.size())) {
    throw UserError(
        fmt::format("{} has no iterator {}: it has {}", stage.name, iter, stage.iters.size()));
  }
  return stage.iters[static_cast<std::size_t>(iter)];
}

bool has_attached(const State& state, int stage, int iter) {
  for (const Stage& other : state.stages) {
    if (other.location == Location::Iter && other.attach_stage == stage && other.attach_iter == iter) {
      return true;
    }
  }
  return false;
}

bool has_attached(const State& state, int stage) {
  for (const Stage& other : state.stages) {
    if (other.location == Location::Iter && other.attach_stage == stage) return true;
  }
  return false;
}

task::Task& own_task(State& state) {
  if (!state.task_is_own || state.task.use_count() != 1) {
    state.task = std::make_shared<task::Task>(*state.task);
    state.task_is_own = true;
  }
  return const_cast<task::Task&>(*state.task);
}

void insert_stage(State& state, int position, task::Op op) {
  state.stages.insert(state.stages.begin() + position, fresh_stage(op));
  task::Task& task = own_task(state);
  task.ops.insert(task.ops.begin() + position, std::move(op));
  for (Stage& stage : state.stages) {
    if (stage.attach_stage >= position) ++stage.attach_stage;
    for (Ahead& ahead : stage.ahead) ahead.operand += ahead.operand >= position ? 1 : 0;
  }
}

}  // namespace hone::schedule
