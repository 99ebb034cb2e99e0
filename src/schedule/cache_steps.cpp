// Steps that put a copy of a tensor into another memory: cache read and cache write.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/apply.h"

namespace hone::schedule {
namespace {

ir::Scope parse_scope(std::string_view text) {
  if (text == "global") return ir::Scope::Global;
  if (text == "shared") return ir::Scope::Shared;
  if (text == "warp") return ir::Scope::Warp;
  if (text == "local") return ir::Scope::Local;
  throw UserError(fmt::format("unknown memory scope \"{}\"", text),
                  "known are global, shared, warp and local");
}

std::vector<ir::Expr> variables(const std::vector<task::Axis>& axes) {
  std::vector<ir::Expr> vars;
  vars.reserve(axes.size());
  for (const task::Axis& axis : axes) vars.push_back(axis.var);
  return vars;
}

ir::Buffer cache_buffer(const ir::Buffer& of, const std::string& scope) {
  return ir::make_buffer(of->name + '.' + scope, of->type, of->shape, parse_scope(scope));
}

task::Op copy_op(const ir::Buffer& from, const std::string& scope) {
  task::Op copy;
  for (std::size_t i = 0; i < from->shape.size(); ++i) {
    copy.axes.push_back({ir::variable(fmt::format("ax{}", i)), from->shape[i]});
  }
  copy.outputs = {cache_buffer(from, scope)};
  copy.body = {ir::load(from, variables(copy.axes))};
  return copy;
}

ir::Expr redirect(const ir::Expr& body, const ir::Buffer& from, const ir::Buffer& to) {
  return ir::rewrite(body, [&](const ir::Expr& e) {
    const auto* load = e.as<ir::Load>();
    return load != nullptr && load->buffer == from ? ir::load(to, load->index) : e;
  });
}

bool reads(const task::Op& op, const ir::Buffer& buffer) {
  bool found = false;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      found = found || (load != nullptr && load->buffer == buffer);
    });
  }
  return found;
}

void check_readers(State& state, const CacheRead& step) {
  if (step.stage < 0 || step.stage >= static_cast<int>(state.stages.size())) {
    throw UserError(fmt::format("there is no stage {}", step.stage));
  }
  const task::Op& source = state.task->ops[static_cast<std::size_t>(step.stage)];
  if (source.outputs.size() != 1) throw UserError("only a single tensor can be cached for reading");
  if (step.readers.empty()) throw UserError("a cache needs readers");
  for (const int reader : step.readers) {
    const Stage& stage = compute_stage(state, reader);
    if (!reads(state.task->ops[static_cast<std::size_t>(reader)], source.output())) {
      throw UserError(fmt::format("{} does not read {}", stage.name, source.name()));
    }
  }
}

}  // namespace

void apply_step(State& state, const CacheRead& step) {
  check_readers(state, step);
  const ir::Buffer from = state.task->ops[static_cast<std::size_t>(step.stage)].output();
  task::Op copy = copy_op(from, step.scope);
  const ir::Buffer to = copy.output();
  insert_stage(state, step.stage + 1, std::move(copy));
  state.stages[static_cast<std::size_t>(step.stage) + 1].scope = to->scope;
  for (const int reader : step.readers) {
    for (ir::Expr& body : own_task(state).ops[static_cast<std::size_t>(reader) + 1].body) {
      body = redirect(body, from, to);
    }
  }
}

void apply_step(State& state, const CacheWrite& step) {
  const Stage& stage = compute_stage(state, step.stage);
  if (!stage.relations.empty() || stage.location != Location::Root || has_attached(state, step.stage)) {
    throw UserError(fmt::format("{} must be cached before its loops are changed", stage.name));
  }
  task::Op cache = state.task->ops[static_cast<std::size_t>(step.stage)];
  const task::Op original = cache;
  ir::Substitution renamed;
  for (task::Axis& axis : cache.axes) {
    const ir::Expr old = axis.var;
    axis.var = ir::variable(std::string(ir::name_of(old)) + ".c");
    renamed[old.get()] = axis.var;
  }
  for (ir::Expr& body : cache.body) body = ir::substitute(body, renamed);
  for (ir::Buffer& output : cache.outputs) output = cache_buffer(output, step.scope);

  task::Op copy = original;
  copy.reduce_axes.clear();
  copy.reducer = task::Reducer::None;
  for (std::size_t i = 0; i < copy.body.size(); ++i) {
    copy.body[i] = ir::load(cache.outputs[i], variables(copy.axes));
  }
  const auto at = static_cast<std::size_t>(step.stage);
  const ir::Scope scope = cache.output()->scope;
  insert_stage(state, step.stage, std::move(cache));
  state.stages[at].scope = scope;
  state.stages[at + 1] = fresh_stage(copy);
  own_task(state).ops[at + 1] = std::move(copy);
}

}  // namespace hone::schedule
