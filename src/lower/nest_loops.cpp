#include "lower/nest_loops.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::lower {
namespace {

using schedule::Relation;
using schedule::Sum;

// "n.0@co.0@" as an identifier: n_0_co_0.
std::string identifier(std::string_view iterator) {
  std::string name;
  for (const char c : iterator) {
    if (c != '.' && c != '@') {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (name.ends_with('_')) name.pop_back();
  return name.empty() ? "unit" : name;
}

// For each loop of the stage, whether nothing but reduction axes went into it.
std::vector<bool> reduction_only(const schedule::Stage& stage, const task::Op& op) {
  std::vector<bool> only(stage.loops.size(), false);
  const std::size_t n_axes = op.axes.size() + op.reduce_axes.size();
  for (std::size_t a = op.axes.size(); a < n_axes; ++a) only[a] = true;
  const auto flag = [&](int loop) { return only[static_cast<std::size_t>(loop)]; };
  for (const Relation& relation : stage.relations) {
    if (relation.kind == Relation::Kind::Split) {
      only[static_cast<std::size_t>(relation.outer)] = flag(relation.whole);
      only[static_cast<std::size_t>(relation.inner)] = flag(relation.whole);
    } else {
      only[static_cast<std::size_t>(relation.whole)] = flag(relation.outer) && flag(relation.inner);
    }
  }
  return only;
}

void require(ir::Expr& all, ir::Expr condition) {
  all = all ? ir::logical_and(all, condition) : condition;
}

}  // namespace

std::string NestLoops::unused_name(const std::string& iterator, std::string_view suffix) const {
  const std::string wanted = identifier(iterator) + std::string(suffix);
  std::string name = wanted;
  const auto is_open = [&](const Open& open) {
    return open.position >= 0 && ir::name_of(body_.loop(open.var)) == name;
  };
  for (int n = 1; std::any_of(open_.begin(), open_.end(), is_open); ++n) {
    name = wanted + '_' + std::to_string(n);
  }
  return name;
}

// Threads are launched by serial code, and a block runs its threads.
void NestLoops::check_place(const schedule::Iterator& iter) const {
  if (!ir::is_thread_loop(iter.annotation)) return;
  for (const Open& open : open_) {
    if (open.position < 0) continue;
    const bool launches = open.kind == ir::LoopKind::Serial || open.kind == ir::LoopKind::Unrolled;
    const bool fits = ir::is_thread_loop(open.kind)
                          ? ir::is_block_loop(open.kind) || !ir::is_block_loop(iter.annotation)
                          : launches;
    if (!fits) {
      throw UserError(fmt::format("{} is a {} loop inside a {} loop", iter.name,
                                  ir::to_string(iter.annotation), ir::to_string(open.kind)));
    }
  }
}

void NestLoops::open(int stage_id, const schedule::Iterator& iter, std::string_view suffix) {
  const schedule::Stage& stage = state_.stages[static_cast<std::size_t>(stage_id)];
  const schedule::Var var = state_.bounds.var(stage_id, iter.loop);
  const std::int64_t extent = state_.bounds.extent(stage_id, iter.loop);
  Open opened{var, iter.annotation, extent, -1, body_.loop(var), unroll_};
  if (stage.auto_unroll_loop == iter.loop) unroll_ = stage.auto_unroll_max_step;
  if (extent > 1) {
    check_place(iter);
    const ir::Expr variable = ir::variable(unused_name(iter.name, suffix));
    ir::For loop{variable, 0, extent, iter.annotation, unroll_};
    for (const schedule::Ahead& ahead : stage.ahead) {
      const task::Op& operand = state_.task->ops[static_cast<std::size_t>(ahead.operand)];
      if (ahead.loop == iter.loop) loop.ahead.push_back({operand.name(), ahead.iterations});
    }
    opened.position = writer_.open(std::move(loop));
    body_.set_loop(var, variable);
    unroll_ = -1;
    if (ir::is_thread_loop(iter.annotation)) {
      ++n_threads_;
    } else if (inside_threads()) {
      ++n_repeating_;
    }
  }
  open_.push_back(std::move(opened));
}

void NestLoops::close() {
  Open& last = open_.back();
  if (last.position >= 0) {
    writer_.close(last.position);
    if (ir::is_thread_loop(last.kind)) {
      --n_threads_;
    } else if (inside_threads()) {
      --n_repeating_;
    }
  }
  body_.set_loop(last.var, std::move(last.hidden));
  unroll_ = last.unroll;
  open_.pop_back();
}

std::int32_t NestLoops::open_guard(int stage_id, const std::vector<Sum>& values, Guarded guarded,
                                   ir::Expr also) {
  const schedule::Bounds& bounds = state_.bounds;
  const schedule::Stage& stage = state_.stages[static_cast<std::size_t>(stage_id)];
  const task::Op& op = state_.task->ops[static_cast<std::size_t>(stage_id)];
  const auto& region = bounds.stages[static_cast<std::size_t>(stage_id)].region;
  const std::vector<bool> reduction = reduction_only(stage, op);
  for (const Relation& relation : stage.relations) {
    const auto whole = static_cast<std::size_t>(relation.whole);
    if (!overshoots(bounds, stage_id, relation) || (reduction[whole] && !guarded.reduction)) continue;
    Sum value = values[whole];
    if (whole < region.size()) schedule::add(body_.vars(), value, region[whole].min, -1);
    const std::int64_t extent = bounds.extent(stage_id, relation.whole);
    if (body_.is_below(value, extent)) continue;
    require(also, body_.to_expr(value) < ir::Expr(extent));
  }
  for (std::size_t a = 0; guarded.domain && a < op.axes.size(); ++a) {
    if (region[a].is(0, op.axes[a].extent)) continue;
    const schedule::Limits limits = schedule::limits(body_.vars(), values[a]);
    if (!limits.is_known() || limits.min < 0) require(also, body_.to_expr(values[a]) >= ir::Expr(0));
    if (body_.is_below(values[a], op.axes[a].extent)) continue;
    require(also, body_.to_expr(values[a]) < ir::Expr(op.axes[a].extent));
  }
  return also ? writer_.open(ir::If{also}) : -1;
}

void NestLoops::close_guard(std::int32_t position) {
  if (position >= 0) writer_.close(position);
}

std::vector<NestLoops::Thread> NestLoops::threads() const {
  std::vector<Thread> found;
  for (const Open& open : open_) {
    const bool is_own = open.position >= 0 && ir::is_thread_loop(open.kind) &&
                        !ir::is_block_loop(open.kind) && open.kind != ir::LoopKind::Vthread;
    if (!is_own) continue;
    // An inner loop over the same threads stands for the outer one.
    std::erase_if(found, [&](const Thread& other) { return other.kind == open.kind; });
    found.push_back({open.kind, body_.loop(open.var), open.extent});
  }
  return found;
}

}  // namespace hone::lower
