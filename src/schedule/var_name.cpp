#include "schedule/var_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace hone::schedule {
namespace {

const ir::Expr& axis_var(const task::Op& op, int loop) {
  const auto axis = static_cast<std::size_t>(loop);
  const std::size_t n_axes = op.axes.size();
  return axis < n_axes ? op.axes[axis].var : op.reduce_axes[axis - n_axes].var;
}

}  // namespace

std::string VarNames::name(int stage_id, int loop) const {
  const Stage& stage = state_.stages[static_cast<std::size_t>(stage_id)];
  std::string text;
  for (const Iterator& iter : stage.iters) {
    if (iter.loop == loop && ir::is_thread_loop(iter.annotation)) text = ir::to_string(iter.annotation);
  }
  const int made_by = stage.loops[static_cast<std::size_t>(loop)];
  if (!text.empty()) {
    // The thread's own name.
  } else if (made_by >= 0) {
    const Relation& relation = stage.relations[static_cast<std::size_t>(made_by)];
    if (relation.kind == Relation::Kind::Fuse) {
      return name(stage_id, relation.outer) + '_' + name(stage_id, relation.inner) + "_fused";
    }
    return name(stage_id, relation.whole) + (loop == relation.outer ? "_outer" : "_inner");
  } else {
    const task::Op& op = state_.task->ops[static_cast<std::size_t>(stage_id)];
    const auto n_axes = static_cast<int>(op.axes.size() + op.reduce_axes.size());
    text = loop < n_axes ? std::string(ir::name_of(axis_var(op, loop))) : "singleton";
  }
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

std::string VarNames::print_var(Var var) const {
  if (const Sum* sum = state_.bounds.vars.sum_of(var)) return '(' + print(*sum) + ')';
  const auto& stages = state_.bounds.stages;
  const auto behind = std::find_if(stages.begin(), stages.end(),
                                   [&](const StageBounds& stage) { return stage.first_var > var; });
  const auto stage = static_cast<int>(behind - stages.begin()) - 1;
  return name(stage, var - stages[static_cast<std::size_t>(stage)].first_var);
}

std::string VarNames::print_digit(const Digit& digit) const {
  std::string text = print_var(digit.var);
  if (digit.upper != 0) text += fmt::format(" % {}", digit.upper);
  if (digit.lower != 1) text += fmt::format(" // {}", digit.lower);
  if (std::abs(digit.scale) != 1) text += fmt::format(" * {}", std::abs(digit.scale));
  return text;
}

std::string VarNames::print(const Sum& sum) const {
  if (sum.is_constant()) return std::to_string(sum.constant);
  std::string text;
  for (const bool negative : {false, true}) {
    for (const Digit& digit : sum.digits) {
      if ((digit.scale < 0) != negative) continue;
      if (!text.empty() || negative) text += negative ? " - " : " + ";
      text += print_digit(digit);
    }
    if (sum.constant != 0 && (sum.constant < 0) == negative) {
      text += fmt::format("{}{}", negative ? " - " : " + ", std::abs(sum.constant));
    }
  }
  return text;
}

}  // namespace hone::schedule
