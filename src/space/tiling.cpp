#include "space/tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "space/panel_steps.h"
#include "space/panels.h"
#include "space/patch_steps.h"
#include "space/prefetch.h"
#include "space/row_steps.h"

namespace hone::space {
namespace {

using schedule::Steps;

std::vector<std::optional<std::int64_t>> lengths(std::initializer_list<std::int64_t> sizes) {
  return {sizes.begin(), sizes.end()};
}

std::vector<int> first(int n) {
  std::vector<int> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

// Writes the steps of one candidate. Only those of row ops and panels, the last, add stages: until then
// stage ids are op ids.
class Writer {
 public:
  Writer(const task::Task& task, const std::vector<StageRole>& roles, const Choice& choice)
      : task_(task), roles_(roles), choice_(choice) {}

  Steps run() {
    std::size_t tiled = 0, patched = 0;
    for (std::size_t op = 0; op < task_.ops.size(); ++op) {
      const StageRole& role = roles_[op];
      const int id = static_cast<int>(op);
      if (role.role == Role::Inline && !fills_panel(id)) steps_.push_back(schedule::ComputeInline{id});
      if (role.role == Role::Tiled) tile(id, role.target, choice_.tiled.at(tiled++));
      if (role.role == Role::Patches)
        write_patch_steps(task_, roles_, id, choice_.patches.at(patched++), steps_);
    }
    std::vector<int> stages = write_row_steps(task_, roles_, choice_.rows, steps_);
    place_in_blocks(stages);
    write_panel_steps(task_, roles_, choice_, std::move(stages), steps_);
    return std::move(steps_);
  }

 private:
  const task::Op& op(int id) const { return task_.ops[static_cast<std::size_t>(id)]; }

  bool fills_panel(int id) const {
    std::size_t tiled = 0;
    return std::ranges::any_of(roles_, [&](const StageRole& role) {
      return role.role == Role::Tiled && is_packed(role, choice_.tiled.at(tiled++), id);
    });
  }

  void tile(int id, int epilogue, const Tiling& t) {
    const int n_axes = static_cast<int>(op(id).axes.size());
    const int n_reduce = static_cast<int>(op(id).reduce_axes.size());
    const auto size = [](const std::vector<std::int64_t>& v, int a) {
      return v[static_cast<std::size_t>(a)];
    };
    std::vector<int> split_step;
    for (int a = 0; a < n_axes; ++a) {
      const bool is_vector = a == n_axes - 1;
      split_step.push_back(static_cast<int>(steps_.size()));
      const std::int64_t extent = op(id).axes[static_cast<std::size_t>(a)].extent;
      steps_.push_back(schedule::Split{
          id, 4 * a, extent,
          is_vector ? lengths({size(t.level1, a), size(t.level2, a), size(t.inner, a), t.lanes})
                    : lengths({size(t.level1, a), size(t.level2, a), size(t.inner, a)}),
          true});
    }
    const int first_reduce = 4 * n_axes + 1;
    for (int r = 0; r < n_reduce; ++r) {
      const std::int64_t extent = op(id).reduce_axes[static_cast<std::size_t>(r)].extent;
      steps_.push_back(
          schedule::Split{id, first_reduce + 2 * r, extent, lengths({size(t.reduce, r)}), true});
    }
    const std::vector<int> outer = axis_order(op(id), t.vector_axis_outermost);
    std::vector<int> order;
    for (const int a : outer) order.push_back(4 * a);
    for (const int a : outer) order.push_back(4 * a + 1);
    for (int r = 0; r < n_reduce; ++r) order.push_back(first_reduce + 2 * r);
    for (const int a : outer) order.push_back(4 * a + 2);
    for (int r = 0; r < n_reduce; ++r) order.push_back(first_reduce + 2 * r + 1);
    for (const int a : rows_first(id)) order.push_back(4 * a + 3);
    order.push_back(4 * (n_axes - 1) + 4);
    steps_.push_back(schedule::Reorder{id, order});
    const int n_iters = static_cast<int>(order.size());
    if (epilogue >= 0) {
      follow(id, epilogue, split_step, outer, t);
    } else {
      parallel(id, n_axes);
    }
    const int fused = epilogue >= 0 ? 0 : n_axes - 1;  // iterators that parallel() took away
    if (t.unroll > 0) pragma(id, t.unroll);
    if (t.lanes > 1) {
      steps_.push_back(schedule::Annotate{id, n_iters - 1 - fused, ir::LoopKind::Vectorized});
    }
    if (t.prefetch > 0) steps_.push_back(prefetch_step(task_, roles_, id, t));
  }

  // The axes of the register tile, those that only the vector operand depends on last: the emitted
  // order then keeps one broadcast value alive at a time.
  std::vector<int> rows_first(int id) const {
    const int n_axes = static_cast<int>(op(id).axes.size());
    const ir::Expr& vector_var = op(id).axes.back().var;
    std::vector<int> rows, vectors;
    for (int a = 0; a + 1 < n_axes; ++a) {
      const ir::Expr& var = op(id).axes[static_cast<std::size_t>(a)].var;
      bool in_scalar_operand = false, in_any = false;
      ir::visit(op(id).body.front(), [&](const ir::Expr& e) {
        const auto* load = e.as<ir::Load>();
        if (!load) return;
        bool uses_axis = false, uses_vector = false;
        for (const ir::Expr& index : load->index) {
          uses_axis |= ir::uses(index, var);
          uses_vector |= ir::uses(index, vector_var);
        }
        in_any |= uses_axis;
        in_scalar_operand |= uses_axis && !uses_vector;
      });
      (in_scalar_operand || !in_any ? rows : vectors).push_back(a);
    }
    rows.insert(rows.end(), vectors.begin(), vectors.end());
    rows.push_back(n_axes - 1);
    return rows;
  }

  void follow(int id, int epilogue, const std::vector<int>& split_step, const std::vector<int>& outer,
              const Tiling& t) {
    const int n_axes = static_cast<int>(split_step.size());
    for (int a = 0; a < n_axes; ++a) {
      steps_.push_back(
          schedule::FollowSplit{epilogue, 3 * a, split_step[static_cast<std::size_t>(a)], 2});
    }
    std::vector<int> order;
    for (const int a : outer) order.push_back(3 * a);
    for (const int a : outer) order.push_back(3 * a + 1);
    for (int a = 0; a < n_axes; ++a) order.push_back(3 * a + 2);
    steps_.push_back(schedule::Reorder{epilogue, order});
    steps_.push_back(schedule::ComputeAt{id, epilogue, 2 * n_axes - 1});
    int last = 3 * n_axes - 1;
    if (t.lanes > 1) {
      const std::size_t v = static_cast<std::size_t>(n_axes - 1);
      steps_.push_back(schedule::Split{epilogue, last, t.level2[v] * t.inner[v] * t.lanes,
                                       lengths({t.lanes}), true});
      ++last;
    }
    parallel(epilogue, n_axes);
    if (t.lanes > 1) {
      steps_.push_back(schedule::Annotate{epilogue, last - (n_axes - 1), ir::LoopKind::Vectorized});
    }
  }

  void place_in_blocks(const std::vector<int>& stages) {
    for (std::size_t op = 0; op < roles_.size(); ++op) {
      const int around = roles_[op].around;
      if (around < 0) continue;
      steps_.push_back(schedule::ComputeAt{stages[op], stages[static_cast<std::size_t>(around)],
                                           roles_[op].around_loop});
    }
  }

  void parallel(int id, int n_outer) {
    if (n_outer > 1) steps_.push_back(schedule::Fuse{id, first(n_outer)});
    if (roles_[static_cast<std::size_t>(id)].around >= 0) return;
    steps_.push_back(schedule::Annotate{id, 0, ir::LoopKind::Parallel});
  }

  void pragma(int id, std::int64_t unroll) {
    steps_.push_back(schedule::Pragma{id, 0, fmt::format("auto_unroll_max_step${}", unroll)});
  }

  const task::Task& task_;
  const std::vector<StageRole>& roles_;
  const Choice& choice_;
  Steps steps_;
};

}  // namespace

schedule::Steps steps_for(const task::Task& task, const std::vector<StageRole>& roles,
                          const Choice& choice) {
  return Writer(task, roles, choice).run();
}

std::vector<int> axis_order(const task::Op& op, bool vector_axis_outermost) {
  std::vector<int> order = first(static_cast<int>(op.axes.size()));
  if (vector_axis_outermost) std::rotate(order.begin(), order.end() - 1, order.end());
  return order;
}

bool fits_registers(std::int64_t rows, std::int64_t vectors, const target::Target& target) {
  return rows * vectors + vectors + 1 <= target.vector_registers - 1;
}

std::int64_t balanced(std::int64_t extent, std::int64_t tile) {
  const std::int64_t pieces = (extent + tile - 1) / tile;
  return (extent + pieces - 1) / pieces;
}

}  // namespace hone::space
