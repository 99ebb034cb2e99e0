#include "space/row_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "space/choose.h"

namespace hone::space {
namespace {

class RowWriter {
 public:
  RowWriter(const task::Task& task, const std::vector<StageRole>& roles, schedule::Steps& steps)
      : task_(task), roles_(roles), steps_(steps), stage_(task.ops.size()), parts_(task.ops.size()) {
    std::iota(stage_.begin(), stage_.end(), 0);
  }

  std::vector<int> run(const std::vector<RowTiling>& choices) {
    std::vector<const RowTiling*> choice_of(roles_.size(), nullptr);
    auto next = choices.begin();
    for (std::size_t op = 0; op < roles_.size(); ++op) {
      if (roles_[op].role == Role::Rows || roles_[op].role == Role::Attached) choice_of[op] = &*next++;
    }
    for (std::size_t op = 0; op < roles_.size(); ++op) {
      if (roles_[op].role == Role::Rows) rows(static_cast<int>(op), *choice_of[op]);
    }
    for (std::size_t op = 0; op < roles_.size(); ++op) {
      if (roles_[op].role == Role::Attached) attached(static_cast<int>(op), *choice_of[op]);
    }
    return std::move(stage_);
  }

 private:
  const task::Op& op(int id) const { return task_.ops[static_cast<std::size_t>(id)]; }
  int stage(int id) const { return stage_[static_cast<std::size_t>(id)]; }
  const std::vector<int>& parts(int id) const { return parts_[static_cast<std::size_t>(id)]; }

  // Steps of rows in parallel, each step with all that is attached to its rows.
  void rows(int id, const RowTiling& t) {
    const int n_axes = static_cast<int>(op(id).axes.size());
    const bool reduces = !op(id).reduce_axes.empty();
    const int n_rows = reduces_rows(op(id)) ? n_axes : std::max(1, n_axes - 1);
    columns(id, t);
    if (n_rows == 0) return;
    if (t.rows > 1 && (reduces || n_rows < n_axes))
      split(stage(id), n_rows - 1, op(id).axes[static_cast<std::size_t>(n_rows) - 1].extent, {t.rows});
    // A reduction to few rows has blocks of columns for all threads.
    const bool has_blocks = reduces && t.lanes > 1 && t.rows == 1 && n_rows < n_axes;
    const int n_outer = has_blocks && !attaches(roles_, static_cast<std::size_t>(id)) ? n_axes : n_rows;
    if (n_outer > 1) {
      std::vector<int> outer(static_cast<std::size_t>(n_outer));
      std::iota(outer.begin(), outer.end(), 0);
      steps_.push_back(schedule::Fuse{stage(id), outer});
    }
    if (roles_[static_cast<std::size_t>(id)].around < 0) annotate(stage(id), 0, ir::LoopKind::Parallel);
    if (t.unroll > 0) {
      steps_.push_back(
          schedule::Pragma{stage(id), 0, fmt::format("auto_unroll_max_step${}", t.unroll)});
    }
    for (const int part : parts(id)) compute_at(part, id);
  }

  void attached(int id, const RowTiling& t) {
    const int target = roles_[static_cast<std::size_t>(id)].target;
    columns(id, t);
    for (const int part : parts(id)) compute_at(part, target);
    compute_at(stage(id), target);
  }

  // The loops inside a row in vectors.
  void columns(int id, const RowTiling& t) {
    if (t.lanes <= 1) return;
    if (reduces_rows(op(id))) return factor(id, t);
    const int last = static_cast<int>(op(id).axes.size()) - 1;
    const int n_reduce = static_cast<int>(op(id).reduce_axes.size());
    split(stage(id), last, op(id).axes.back().extent, {t.vectors, t.lanes});
    if (n_reduce > 0) reduce_around(stage(id), last + 1, n_reduce);
    annotate(stage(id), last + 2 + n_reduce, ir::LoopKind::Vectorized);
  }

  // The vectors inside of the reduction, so that their results stay in registers over it.
  void reduce_around(int stage, int first_vector, int n_reduce) {
    std::vector<int> order(static_cast<std::size_t>(first_vector + 2 + n_reduce));
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + first_vector, order.begin() + first_vector + 2, order.end());
    steps_.push_back(schedule::Reorder{stage, order});
  }

  // Neighbouring elements go to the lanes of several vectors of partial results, those to one vector,
  // and its lanes to the result.
  void factor(int id, const RowTiling& t) {
    const int n_axes = static_cast<int>(op(id).axes.size());
    const int n_reduce = static_cast<int>(op(id).reduce_axes.size());
    const int last = n_axes + n_reduce - 1;
    const std::int64_t width = t.vectors * t.lanes;
    split(stage(id), last, op(id).reduce_axes.back().extent, {width});
    const int lanes = rfactor(id, last + 1);
    split(lanes, n_axes, width, {t.lanes});
    reduce_outside(lanes, n_axes, 2, n_reduce);
    annotate(lanes, last + 2, ir::LoopKind::Vectorized);
    if (t.vectors == 1) return;
    split(stage(id), n_axes, width, {t.lanes});
    const int one = rfactor(id, n_axes + 1);
    reduce_outside(one, n_axes, 1, 1);
    annotate(one, n_axes + 1, ir::LoopKind::Vectorized);
  }

  // Partial results along `iter`, as the last axis of a stage of their own, whose number it gives.
  int rfactor(int id, int iter) {
    const int added = stage(id);
    steps_.push_back(schedule::Rfactor{added, iter, static_cast<int>(op(id).axes.size())});
    const auto shift = [&](int& stage) { stage += stage >= added ? 1 : 0; };
    std::for_each(stage_.begin(), stage_.end(), shift);
    for (std::vector<int>& parts : parts_) std::for_each(parts.begin(), parts.end(), shift);
    parts_[static_cast<std::size_t>(id)].push_back(added);
    return added;
  }

  // Reduction loops first, then the rows, then the columns.
  void reduce_outside(int stage, int n_rows, int n_columns, int n_reduce) {
    std::vector<int> order(static_cast<std::size_t>(n_rows + n_columns + n_reduce));
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + n_rows + n_columns, order.end());
    steps_.push_back(schedule::Reorder{stage, order});
  }

  void split(int stage, int iter, std::int64_t extent, std::initializer_list<std::int64_t> lengths) {
    steps_.push_back(schedule::Split{stage, iter, extent, {lengths.begin(), lengths.end()}, true});
  }
  void annotate(int stage, int iter, ir::LoopKind kind) {
    steps_.push_back(schedule::Annotate{stage, iter, kind});
  }
  void compute_at(int stage, int target) {
    steps_.push_back(schedule::ComputeAt{stage, this->stage(target), 0});
  }

  const task::Task& task_;
  const std::vector<StageRole>& roles_;
  schedule::Steps& steps_;
  std::vector<int> stage_;               // of every op, by its present number
  std::vector<std::vector<int>> parts_;  // stages with partial results of every op
};

}  // namespace

std::vector<int> write_row_steps(const task::Task& task, const std::vector<StageRole>& roles,
                                 const std::vector<RowTiling>& choices, schedule::Steps& steps) {
  return RowWriter(task, roles, steps).run(choices);
}

bool reduces_rows(const task::Op& op) {
  if (op.reduce_axes.empty() || op.outputs.size() != 1) return false;
  const ir::Expr& var = op.reduce_axes.back().var;
  bool is_read = false, is_contiguous = true;  // a window moves with an output axis too
  ir::visit(op.body.front(), [&](const ir::Expr& e) {
    const auto* load = e.as<ir::Load>();
    if (!load) return;
    const bool is_used = std::any_of(load->index.begin(), load->index.end(),
                                     [&](const ir::Expr& index) { return ir::uses(index, var); });
    is_read |= is_used;
    is_contiguous &= !is_used || load->index.back().same(var);
  });
  return is_read && is_contiguous;
}

}  // namespace hone::space
