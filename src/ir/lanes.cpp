#include "ir/lanes.h"

#include <unordered_map>

#include "base/error.h"
#include "ir/compile_expr.h"
#include "ir/handlers.h"
#include "ir/machine.h"

namespace hone::ir {
namespace {

// Scalar expressions as vectors of `lanes`. Parts that are shared stay shared.
class Widening {
 public:
  explicit Widening(std::int32_t lanes) : lanes_(lanes) {}

  Expr operator()(const Expr& e) {
    if (lanes_ == 1) return e;
    const auto found = known_.find(e.get());
    if (found != known_.end()) return found->second;
    Expr wide = widen(e);
    known_.emplace(e.get(), wide);
    return wide;
  }

 private:
  Expr widen(const Expr& e) {
    if (e.as<Variable>()) return variable(std::string(name_of(e)), e.type().with_lanes(lanes_));
    if (e.as<IntImm>() || e.as<FloatImm>()) return broadcast(e, lanes_);
    return map_children(e, [&](const Expr& child) { return (*this)(child); });
  }

  std::int32_t lanes_;
  std::unordered_map<const Node*, Expr> known_;
};

}  // namespace

LaneEvaluator::LaneEvaluator(std::span<const Expr> variables, const Expr& body, std::int32_t lanes)
    : lanes_(lanes) {
  check(lanes >= 1 && body.type().lanes == 1, "a scalar body is worked out on lanes");
  Widening widen(lanes);
  bytecode::Emitter emitter;
  bytecode::ExprCompiler compiler(emitter);
  for (const Expr& variable : variables) {
    operands_.push_back(emitter.keep(lanes));
    compiler.define(widen(variable), operands_.back(), {});
  }
  result_ = compiler.compile(widen(body));
  emitter.emit({.run = bytecode::finish});
  emitter.finish(code_);
  for (std::int32_t& slot : operands_) slot = emitter.final_slot(slot);
  result_ = emitter.final_slot(result_);
  slots_ = code_.slots;
}

std::span<const Number> LaneEvaluator::run() {
  bytecode::Machine machine;
  machine.slots = slots_.data();
  machine.run(code_.instructions.data());
  return row(result_);
}

}  // namespace hone::ir
