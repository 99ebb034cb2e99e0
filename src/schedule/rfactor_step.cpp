// The step that splits a reduction in two: partial results along a new axis, then their combination.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/apply.h"

namespace hone::schedule {
namespace {

struct Factored {  // the loops of the stage, with their values and extents
  std::vector<ir::Expr> values;
  std::vector<std::int64_t> extents;
  std::vector<bool> touched;  // whether the loop has to do with the factored one
  ir::Expr within;            // holds where no split went past its loop's end; empty when always
};

std::string loop_name(const Stage& stage, const task::Op& op, int loop) {
  const int made_by = stage.loops[static_cast<std::size_t>(loop)];
  if (made_by < 0) {
    return std::string(
        ir::name_of(op.reduce_axes[static_cast<std::size_t>(loop) - op.axes.size()].var));
  }
  const Relation& relation = stage.relations[static_cast<std::size_t>(made_by)];
  if (relation.kind == Relation::Kind::Fuse) {
    return loop_name(stage, op, relation.outer) + '.' + loop_name(stage, op, relation.inner) + ".fused";
  }
  return loop_name(stage, op, relation.whole) + (loop == relation.outer ? ".outer" : ".inner");
}

void require(bool ok, const Stage& stage, std::string_view why) {
  if (!ok) throw UserError(fmt::format("{} cannot be factored: {}", stage.name, why));
}

void check_factorable(State& state, const Rfactor& step) {
  Stage& stage = compute_stage(state, step.stage);
  const task::Op& op = state.task->ops[static_cast<std::size_t>(step.stage)];
  const Iterator& iter = iterator(stage, step.iter);
  require(op.reducer != task::Reducer::None && op.outputs.size() == 1, stage,
          "it is no reduction with one result");
  require(iter.kind == IterKind::Reduction, stage, "the iterator is no reduction");
  require(step.factor_iter >= 0 && step.factor_iter <= static_cast<int>(op.axes.size()), stage,
          "the new axis has no such place");
  require(!has_attached(state, step.stage), stage, "a stage is computed inside it");
  const auto n_axes = static_cast<int>(op.axes.size());
  for (const Relation& relation : stage.relations) {
    require(std::min({relation.whole, relation.outer, relation.inner}) >= n_axes, stage,
            "loops that are no reduction were split or fused before");
  }
}

// Extents from the axes down. An open length counts as 1: the sketch is complete, its sizes are not.
void infer_extents(const Stage& stage, const task::Op& op, Factored& loops) {
  loops.extents.assign(stage.loops.size(), 1);
  auto extent = [&](int loop) -> std::int64_t& {
    return loops.extents[static_cast<std::size_t>(loop)];
  };
  int axis = static_cast<int>(op.axes.size());
  for (const task::Axis& reduce : op.reduce_axes) extent(axis++) = reduce.extent;
  for (const Relation& relation : stage.relations) {
    if (relation.kind == Relation::Kind::Fuse) {
      extent(relation.whole) = extent_product(extent(relation.outer), extent(relation.inner));
      continue;
    }
    const std::int64_t size = std::max<std::int64_t>(relation.size, 1);
    const std::int64_t rest = (extent(relation.whole) + size - 1) / size;
    extent(relation.inner) = relation.by_parts ? rest : size;
    extent(relation.outer) = relation.by_parts ? size : rest;
  }
}

void find_touched(const Stage& stage, int factored, Factored& loops) {
  loops.touched.assign(stage.loops.size(), false);
  loops.touched[static_cast<std::size_t>(factored)] = true;
  auto spread = [&](const Relation& relation) {
    const int ids[] = {relation.whole, relation.outer, relation.inner};
    const bool any = std::any_of(std::begin(ids), std::end(ids),
                                 [&](int id) { return loops.touched[static_cast<std::size_t>(id)]; });
    for (const int id : ids) loops.touched[static_cast<std::size_t>(id)] = any;
  };
  // A fusion ties axes together, so what is touched can lead up to one and down again to another.
  for (std::vector<bool> before; before != loops.touched;) {
    before = loops.touched;
    for (const Relation& relation : stage.relations) spread(relation);
  }
}

void require_within(Factored& loops, const ir::Expr& value, std::int64_t extent) {
  const ir::Expr inside = value < ir::Expr(extent);
  loops.within = loops.within ? ir::logical_and(loops.within, inside) : inside;
}

// Values of the axes from the leaf loops up.
void infer_values(const Stage& stage, Factored& loops) {
  auto value = [&](int loop) -> ir::Expr& { return loops.values[static_cast<std::size_t>(loop)]; };
  auto extent = [&](int loop) { return loops.extents[static_cast<std::size_t>(loop)]; };
  for (auto it = stage.relations.rbegin(); it != stage.relations.rend(); ++it) {
    const ir::Expr inner_extent(extent(it->inner));
    if (it->kind == Relation::Kind::Fuse) {
      value(it->outer) = ir::floor_div(value(it->whole), inner_extent);
      value(it->inner) = ir::floor_mod(value(it->whole), inner_extent);
      continue;
    }
    value(it->whole) = value(it->outer) * inner_extent + value(it->inner);
    // The other axes are reduced over anew, without their splits.
    const bool is_kept = loops.touched[static_cast<std::size_t>(it->whole)];
    if (is_kept && extent(it->outer) * extent(it->inner) != extent(it->whole)) {
      require_within(loops, value(it->whole), extent(it->whole));
    }
  }
}

Factored factor_loops(const Stage& stage, const task::Op& op, int factored) {
  Factored loops;
  infer_extents(stage, op, loops);
  find_touched(stage, factored, loops);
  loops.values.resize(stage.loops.size());
  for (const Iterator& iter : stage.iters) {
    const auto loop = static_cast<std::size_t>(iter.loop);
    if (iter.kind != IterKind::Reduction) continue;
    loops.values[loop] = loops.extents[loop] == 1 && iter.loop != factored
                             ? ir::Expr(0)
                             : ir::variable(loop_name(stage, op, iter.loop));
  }
  infer_values(stage, loops);
  return loops;
}

// The op that computes the partial results.
task::Op partial_op(const Stage& stage, const task::Op& op, const Rfactor& step,
                    const Factored& loops) {
  const int factored = stage.iters[static_cast<std::size_t>(step.iter)].loop;
  task::Op partial = op;
  const task::Axis new_axis{loops.values[static_cast<std::size_t>(factored)],
                            loops.extents[static_cast<std::size_t>(factored)]};
  partial.axes.insert(partial.axes.begin() + step.factor_iter, new_axis);
  partial.reduce_axes.clear();
  ir::Substitution values;
  for (std::size_t i = 0; i < op.reduce_axes.size(); ++i) {
    const std::size_t loop = op.axes.size() + i;
    if (loops.touched[loop]) {
      values[op.reduce_axes[i].var.get()] = loops.values[loop];
    } else {
      partial.reduce_axes.push_back(op.reduce_axes[i]);
    }
  }
  for (const Iterator& iter : stage.iters) {
    const auto loop = static_cast<std::size_t>(iter.loop);
    if (!loops.touched[loop] || iter.loop == factored) continue;
    const ir::Expr& value = loops.values[loop];
    const ir::Expr var =
        value.as<ir::Variable>() ? value : ir::variable(loop_name(stage, op, iter.loop));
    partial.reduce_axes.push_back({var, loops.extents[loop]});
  }
  ir::Expr& body = partial.body.front();
  body = ir::substitute(body, values);
  if (loops.within) {
    body = ir::select(loops.within, body, task::identity_of(op.reducer, body.type()), true);
  }
  std::vector<std::int64_t> shape;
  for (const task::Axis& axis : partial.axes) shape.push_back(axis.extent);
  partial.outputs = {ir::make_buffer(op.name() + ".rf", op.output()->type, std::move(shape))};
  return partial;
}

// The op that combines the partial results; it writes what the whole reduction wrote.
task::Op final_op(const task::Op& op, const task::Op& partial, int factor_iter) {
  task::Op final = op;
  final.axes.clear();
  std::vector<ir::Expr> index;
  for (std::size_t i = 0; i < op.axes.size(); ++i) {
    final.axes.push_back({ir::variable(fmt::format("ax{}", i)), op.axes[i].extent});
    index.push_back(final.axes.back().var);
  }
  const task::Axis& factored = partial.axes[static_cast<std::size_t>(factor_iter)];
  final.reduce_axes = {{ir::variable(std::string(ir::name_of(factored.var)) + ".v"), factored.extent}};
  index.insert(index.begin() + factor_iter, final.reduce_axes.front().var);
  final.body = {ir::load(partial.output(), std::move(index))};
  final.hints = {};
  return final;
}

}  // namespace

void apply_step(State& state, const Rfactor& step) {
  check_factorable(state, step);
  const auto at = static_cast<std::size_t>(step.stage);
  const Stage& stage = state.stages[at];
  const task::Op op = state.task->ops[at];
  const Factored loops = factor_loops(stage, op, stage.iters[static_cast<std::size_t>(step.iter)].loop);
  task::Op partial = partial_op(stage, op, step, loops);
  task::Op final = final_op(op, partial, step.factor_iter);

  insert_stage(state, step.stage, std::move(partial));
  Stage combined = fresh_stage(final);
  combined.name = op.name() + ".repl";
  combined.location = state.stages[at + 1].location;
  combined.attach_stage = state.stages[at + 1].attach_stage;
  combined.attach_iter = state.stages[at + 1].attach_iter;
  combined.attach_order = state.stages[at + 1].attach_order;
  state.stages[at + 1] = std::move(combined);
  own_task(state).ops[at + 1] = std::move(final);
}

}  // namespace hone::schedule
