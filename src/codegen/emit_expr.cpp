// Expressions as LLVM values.
#include <fmt/format.h>

#include "base/error.h"
#include "codegen/access.h"
#include "codegen/emit.h"

namespace hone::codegen {

using ir::BinaryOp;
using llvm::Value;

namespace {

bool has_load(const ir::Expr& e) {
  bool found = false;
  ir::visit(e, [&](const ir::Expr& part) { found |= part.as<ir::Load>() != nullptr; });
  return found;
}

bool is_division(BinaryOp op) { return op >= BinaryOp::Div && op <= BinaryOp::FloorMod; }

const ir::Binary* as_product(const ir::Expr& e) {
  const auto* product = e.as<ir::Binary>();
  return product != nullptr && product->op == BinaryOp::Mul ? product : nullptr;
}

}  // namespace

Value* FunctionEmitter::value(const ir::Expr& e) {
  if (const auto* imm = e.as<ir::IntImm>()) {
    return llvm::ConstantInt::getSigned(value_type(module_.context, e.type()), imm->value);
  }
  if (const auto* imm = e.as<ir::FloatImm>()) return constant(b_, e.type(), imm->value);
  if (e.as<ir::Variable>()) {
    const auto found = variables_.find(e.get());
    if (found == variables_.end()) fail(fmt::format("variable {} is not defined here", ir::name_of(e)));
    return found->second.value;
  }
  if (const auto scope = scope_of(e)) return hoisted_value(e, *scope);
  const auto known = in_statement_.find(e.get());
  if (known != in_statement_.end()) return known->second;
  Value* result = fresh_value(e);
  in_statement_.emplace(e.get(), result);
  statement_order_.push_back(e);
  return result;
}

std::optional<std::size_t> FunctionEmitter::scope_of(const ir::Expr& e) const {
  if (ir::is_float(e.type().scalar) || e.type().lanes != 1) return std::nullopt;
  bool movable = true;
  std::size_t scope = 0;
  ir::visit(e, [&](const ir::Expr& part) {
    movable &= !ir::is_float(part.type().scalar) && part.type().lanes == 1 && !part.as<ir::Load>();
    if (const auto* n = part.as<ir::Binary>(); n != nullptr && is_division(n->op)) {
      movable &= ir::as_int(n->b).value_or(0) != 0;  // elsewhere the divisor may be zero
    }
    if (!part.as<ir::Variable>()) return;
    const auto found = variables_.find(part.get());
    if (found != variables_.end()) scope = std::max(scope, found->second.scope);
  });
  movable &= scope != kFixed;
  return movable ? std::optional(scope) : std::nullopt;
}

Value* FunctionEmitter::hoisted_value(const ir::Expr& e, std::size_t scope) {
  const auto known = scopes_[scope].values.find(e);
  if (known != scopes_[scope].values.end()) return known->second;
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(scopes_[scope].end);
  Value* result = fresh_value(e);
  scopes_[scope].values.emplace(e, result);
  return result;
}

Value* FunctionEmitter::fresh_value(const ir::Expr& e) {
  return ir::match(
      e, [&](const ir::IntImm&) { return value(e); }, [&](const ir::FloatImm&) { return value(e); },
      [&](const ir::Variable&) { return value(e); },
      [&](const ir::Not& n) { return b_.CreateNot(value(n.a)); },
      [&](const ir::Binary& n) { return binary_value(e, n); },
      [&](const ir::Select& n) { return select_value(e, n); },
      [&](const ir::Call& n) {
        const ir::Type from = n.args.front().type();
        if (n.function == ir::Function::Reinterpret) {
          return reinterpret(b_, e.type(), from, value(n.args.front()));
        }
        std::vector<Value*> args;
        for (const ir::Expr& arg : n.args) args.push_back(value(arg));
        return call(b_, n.function, from, args);
      },
      [&](const ir::Cast& n) { return cast(b_, e.type(), n.value.type(), value(n.value)); },
      [&](const ir::Load& n) { return load_value(e, n); },
      [&](const ir::Ramp& n) { return ramp_value(e.type(), n); },
      [&](const ir::Broadcast& n) {
        return b_.CreateVectorSplat(static_cast<unsigned>(e.type().lanes), value(n.value));
      });
}

Value* FunctionEmitter::ramp_value(ir::Type type, const ir::Ramp& n) {
  const auto lanes = static_cast<unsigned>(type.lanes);
  llvm::Type* element = value_type(module_.context, type.element());
  std::vector<llvm::Constant*> steps;
  for (unsigned lane = 0; lane < lanes; ++lane) steps.push_back(llvm::ConstantInt::get(element, lane));
  Value* distance =
      b_.CreateMul(llvm::ConstantVector::get(steps), b_.CreateVectorSplat(lanes, value(n.stride)));
  return b_.CreateAdd(b_.CreateVectorSplat(lanes, value(n.base)), distance);
}

Value* FunctionEmitter::binary_value(const ir::Expr& e, const ir::Binary& n) {
  if (Value* result = fused(e, n)) return result;
  const ir::Type type = n.a.type();
  bool non_negative = false;
  if (is_division(n.op) && type == ir::kIndex) non_negative = ir::bounds(n.a, ranges_).min >= 0;
  Value* x = value(n.a);
  return binary(b_, n.op, type, x, value(n.b), non_negative);
}

// a*b + c, c - a*b and a*b - c rounded once; null when the expression is none of them.
Value* FunctionEmitter::fused(const ir::Expr& e, const ir::Binary& n) {
  if (!module_.target.fma || !ir::is_float(e.type().scalar)) return nullptr;
  if (n.op != BinaryOp::Add && n.op != BinaryOp::Sub) return nullptr;
  const bool subtract = n.op == BinaryOp::Sub;
  const auto round = [&](Value* sum) { return round_to(b_, e.type(), sum); };
  if (const ir::Binary* product = as_product(n.b)) {
    Value* c = value(n.a);
    Value* x = value(product->a);
    return round(fma(b_, subtract ? b_.CreateFNeg(x) : x, value(product->b), c));
  }
  if (const ir::Binary* product = as_product(n.a)) {
    Value* c = value(n.b);
    Value* x = value(product->a);
    return round(fma(b_, x, value(product->b), subtract ? b_.CreateFNeg(c) : c));
  }
  return nullptr;
}

Value* FunctionEmitter::select_value(const ir::Expr& e, const ir::Select& n) {
  const bool reads = has_load(n.then_value) || has_load(n.else_value);
  if (!n.lazy || !reads) {
    Value* condition = value(n.condition);
    Value* then_value = value(n.then_value);
    return b_.CreateSelect(condition, then_value, value(n.else_value));
  }
  if (n.condition.type().lanes > 1) return lane_by_lane(e);
  Value* condition = value(n.condition);
  llvm::BasicBlock* then_block = new_block("select.then");
  llvm::BasicBlock* else_block = new_block("select.else");
  llvm::BasicBlock* join = new_block("select.end");
  b_.CreateCondBr(condition, then_block, else_block);
  llvm::PHINode* phi = llvm::PHINode::Create(value_type(module_.context, e.type()), 2, "", join);
  for (const auto& [block, arm] : {std::pair(then_block, n.then_value), {else_block, n.else_value}}) {
    b_.SetInsertPoint(block);
    const std::size_t known = statement_order_.size();
    Value* result = value(arm);
    forget_since(known);  // what one arm computed does not exist behind it
    phi->addIncoming(result, b_.GetInsertBlock());
    b_.CreateBr(join);
  }
  b_.SetInsertPoint(join);
  return phi;
}

void FunctionEmitter::forget_since(std::size_t known) {
  for (std::size_t i = known; i < statement_order_.size(); ++i) {
    in_statement_.erase(statement_order_[i].get());
  }
  statement_order_.resize(known);
}

ir::Expr FunctionEmitter::extract(const ir::Expr& vector, int lane) {
  ir::Expr name = ir::variable("lane", vector.type().element());
  Value* element = b_.CreateExtractElement(value(vector), static_cast<std::uint64_t>(lane));
  variables_[name.get()] = {element, kFixed};
  statement_order_.push_back(name);  // keeps the name's address its own while the statement lasts
  return name;
}

Value* FunctionEmitter::lane_by_lane(const ir::Expr& e) {
  Value* result = llvm::PoisonValue::get(value_type(module_.context, e.type()));
  for (int lane = 0; lane < e.type().lanes; ++lane) {
    const ir::Expr scalar = lane_of(e, lane, [&](const ir::Expr& v, int l) { return extract(v, l); });
    result = b_.CreateInsertElement(result, value(scalar), static_cast<std::uint64_t>(lane));
  }
  return result;
}

}  // namespace hone::codegen
