#include "ir/compile_expr.h"

#include <algorithm>

#include "base/error.h"
#include "ir/arithmetic.h"
#include "ir/handlers.h"
#include "ir/interval.h"

namespace hone::ir::bytecode {
namespace {

std::int64_t code_of(Scalar scalar) { return static_cast<std::int64_t>(scalar); }

}  // namespace

void ExprCompiler::define(const Expr& variable, Slot slot, Interval range) {
  variables_[variable.get()] = slot;
  if (!is_float(variable.type().scalar)) ranges_[variable.get()] = range;
}

Slot ExprCompiler::compile(const Expr& e) {
  if (e.as<Variable>()) return variables_.at(e.get());
  const auto found = computed_.find(e.get());
  if (found != computed_.end()) return found->second;
  const Slot slot = compute(e);
  computed_.emplace(e.get(), slot);
  return slot;
}

Slot ExprCompiler::emit_pure(Instruction in, bool is_cheap, std::initializer_list<Slot> operands) {
  if (is_cheap) return emitter_.emit_pure(in, operands);
  in.dst = emitter_.temporary(in.lanes);
  emitter_.emit(in);
  return in.dst;
}

Slot ExprCompiler::compute(const Expr& e) {
  const Type type = e.type();
  const bool is_cheap = !is_float(type.scalar);
  return match(
      e, [&](const IntImm& n) { return emitter_.constant({.i = n.value}, 1); },
      [&](const FloatImm& n) { return emitter_.constant({.f = n.value}, 1); },
      [&](const Variable&) { return variables_.at(e.get()); },
      [&](const Not& n) {
        const Slot a = compile(n.a);
        return emit_pure({.run = negate, .a = a, .lanes = type.lanes}, true, {a});
      },
      [&](const Binary& n) { return compute(n); }, [&](const Select& n) { return compute(n, type); },
      [&](const Call& n) { return compute(n, type); }, [&](const Cast& n) { return compute(n, type); },
      [&](const Load& n) { return compute(n, type); },
      [&](const Ramp& n) {
        const Slot base = compile(n.base), stride = compile(n.stride);
        return emit_pure({.run = make_ramp,
                          .a = base,
                          .b = stride,
                          .lanes = type.lanes,
                          .limit = code_of(type.scalar)},
                         true, {base, stride});
      },
      [&](const Broadcast& n) {
        if (const auto* imm = n.value.as<FloatImm>())
          return emitter_.constant({.f = imm->value}, type.lanes);
        const Slot a = compile(n.value);
        return emit_pure({.run = broadcast_lanes, .a = a, .lanes = type.lanes}, is_cheap, {a});
      });
}

// A division may fail, so unless its divisor is a constant it stays behind the condition it stands
// under.
Slot ExprCompiler::compute(const Binary& n) {
  const Slot a = compile(n.a), b = compile(n.b);
  const Scalar scalar = n.a.type().scalar;
  const bool may_fail = divides(n.op) && !(as_int(n.b) && !is_int(n.b, 0));
  return emit_pure({.run = binary_handler(n.op, scalar), .a = a, .b = b, .lanes = n.a.type().lanes},
                   !is_float(scalar) && !may_fail, {a, b});
}

Slot ExprCompiler::compute(const Select& n, Type type) {
  const Type condition = n.condition.type();
  if (n.lazy) return condition.lanes == 1 ? compute_branches(n, type) : compute_masked(n, type);
  const Slot a = compile(n.condition), b = compile(n.then_value), c = compile(n.else_value);
  return emit_pure(
      {.run = select_lanes, .a = a, .b = b, .c = c, .lanes = type.lanes, .limit = condition.lanes},
      !is_float(type.scalar), {a, b, c});
}

// What a branch computes is known inside it only.
Slot ExprCompiler::compute_branches(const Select& n, Type type) {
  const Slot condition = compile(n.condition);
  const Slot result = emitter_.temporary(type.lanes);
  const auto branch_to_result = [&](const Expr& value) {
    const auto before = computed_;
    auto code = emitter_.branch([&] {
      const Slot slot = compile(value);
      emitter_.emit({.run = copy_lanes, .dst = result, .a = slot, .lanes = type.lanes});
    });
    computed_ = before;
    return code;
  };
  const auto then_code = branch_to_result(n.then_value), else_code = branch_to_result(n.else_value);
  const auto length = [](const auto& code) { return static_cast<std::int64_t>(code.size()); };
  emitter_.emit({.run = jump_unless, .a = condition, .value = length(then_code) + 2});
  emitter_.emit(then_code);
  emitter_.emit({.run = jump, .value = length(else_code) + 1});
  emitter_.emit(else_code);
  return result;
}

// Both sides are computed, but each loads only in the lanes that choose it.
Slot ExprCompiler::compute_masked(const Select& n, Type type) {
  const Slot condition = compile(n.condition);
  const Handler both = binary_handler(BinaryOp::And, Scalar::Bool);
  const auto side = [&](const Expr& value, Slot chosen) {
    const auto before = computed_;
    const std::optional<Slot> outer = mask_;
    mask_ = outer ? emitter_.emit_pure({.run = both, .a = *outer, .b = chosen, .lanes = type.lanes},
                                       {*outer, chosen})
                  : chosen;
    const Slot slot = compile(value);
    mask_ = outer;
    computed_ = before;
    return slot;
  };
  const Slot inverse =
      emitter_.emit_pure({.run = negate, .a = condition, .lanes = type.lanes}, {condition});
  const Slot b = side(n.then_value, condition), c = side(n.else_value, inverse);
  return emit_pure(
      {.run = select_lanes, .a = condition, .b = b, .c = c, .lanes = type.lanes, .limit = type.lanes},
      false, {});
}

Slot ExprCompiler::compute(const Call& n, Type type) {
  check(n.args.size() <= 3, "a function has up to three arguments");
  std::array<Slot, 3> args{};
  for (std::size_t i = 0; i < n.args.size(); ++i) args[i] = compile(n.args[i]);
  Instruction in{
      .a = args[0], .b = args[1], .c = args[2], .lanes = type.lanes, .limit = code_of(type.scalar)};
  if (n.function == Function::Reinterpret) {
    in.run = reinterpret_lanes;
    in.value = code_of(n.args[0].type().scalar);
  } else {
    in.run = is_float(type.scalar) ? call_float : call_int;
    in.value = static_cast<std::int64_t>(n.function);
  }
  return emit_pure(in, false, {});
}

Slot ExprCompiler::compute(const Cast& n, Type type) {
  const Slot a = compile(n.value);
  const Scalar from = n.value.type().scalar;
  return emit_pure({.run = convert_lanes,
                    .a = a,
                    .lanes = type.lanes,
                    .value = code_of(from),
                    .limit = code_of(type.scalar)},
                   !is_float(from) && !is_float(type.scalar), {a});
}

Slot ExprCompiler::compute(const Load& n, Type type) {
  const Slot element = address(n.buffer, n.index);
  AccessMode mode = AccessMode::Lanes;
  if (n.buffer->type.lanes > 1)
    mode = AccessMode::Wide;
  else if (type.lanes > 1 && mask_)
    mode = AccessMode::Masked;
  const Slot result = emitter_.temporary(type.lanes);
  emitter_.emit({.run = load_handler(type.scalar, mode),
                 .dst = result,
                 .a = element,
                 .c = mask_.value_or(0),
                 .lanes = type.lanes,
                 .which = number_of(n.buffer)});
  return result;
}

void ExprCompiler::compile_store(const Buffer& buffer, const std::vector<Expr>& index,
                                 const Expr& value) {
  const Slot stored = compile(value), element = address(buffer, index);
  const AccessMode mode = buffer->type.lanes > 1 ? AccessMode::Wide : AccessMode::Lanes;
  emitter_.emit({.run = store_handler(buffer->type.scalar, mode),
                 .a = element,
                 .b = stored,
                 .lanes = value.type().lanes,
                 .which = number_of(buffer)});
}

Slot ExprCompiler::address(const Buffer& buffer, const std::vector<Expr>& index) {
  struct Step {
    Slot slot;
    std::int32_t lanes;
    std::int64_t stride;
  };
  std::vector<Step> steps;
  const std::vector<std::int64_t> strides = strides_of(*buffer);
  for (std::size_t d = 0; d < index.size(); ++d) {
    const Slot slot = compile(index[d]);
    const std::int32_t lanes = index[d].type().lanes;
    steps.push_back({slot, lanes, strides[d]});
    if (within(bounds(index[d], ranges_), {0, buffer->shape[d] - 1})) continue;
    const bool is_masked = mask_ && lanes > 1;
    emitter_.emit({.run = is_masked ? check_index_masked : check_index,
                   .a = slot,
                   .c = is_masked ? *mask_ : 0,
                   .lanes = lanes,
                   .which = number_of(buffer),
                   .value = static_cast<std::int64_t>(d),
                   .limit = buffer->shape[d]});
  }
  // Outer loops first, so that what they contribute is added up outside of the inner ones.
  std::ranges::stable_sort(
      steps, {}, [&](const Step& step) { return std::pair(step.lanes, emitter_.level_of(step.slot)); });
  const Slot zero = emitter_.constant({.i = 0}, 1);
  Slot element = zero;
  for (const Step& step : steps) {
    if (element == zero && step.stride == 1) {
      element = step.slot;
      continue;
    }
    element = emitter_.emit_pure(
        {.run = add_scaled, .a = step.slot, .b = element, .lanes = step.lanes, .value = step.stride},
        {step.slot, element});
  }
  return element;
}

}  // namespace hone::ir::bytecode
