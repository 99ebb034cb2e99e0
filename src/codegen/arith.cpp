#include "codegen/arith.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "codegen/math.h"

namespace hone::codegen {
namespace {

using ir::BinaryOp;
using ir::Function;
using ir::Scalar;
using llvm::Value;

llvm::Type* scalar_value_type(llvm::LLVMContext& context, Scalar scalar) {
  switch (scalar) {
    case Scalar::Bool:
      return llvm::Type::getInt1Ty(context);
    case Scalar::F16:
    case Scalar::BF16:
    case Scalar::F32:
      return llvm::Type::getFloatTy(context);
    case Scalar::F64:
      return llvm::Type::getDoubleTy(context);
    default:
      return llvm::Type::getIntNTy(context, static_cast<unsigned>(ir::bits(scalar)));
  }
}

llvm::Type* scalar_memory_type(llvm::LLVMContext& context, Scalar scalar) {
  switch (scalar) {
    case Scalar::Bool:
      return llvm::Type::getInt8Ty(context);
    case Scalar::F16:
      return llvm::Type::getHalfTy(context);
    case Scalar::BF16:
      return llvm::Type::getInt16Ty(context);
    default:
      return scalar_value_type(context, scalar);
  }
}

llvm::Type* with_lanes(llvm::Type* element, int lanes) {
  return lanes == 1 ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes));
}

// The integer type of the same shape as a float value.
llvm::Type* integer_like(Builder& b, Value* value) {
  return value->getType()->getWithNewType(b.getIntNTy(value->getType()->getScalarSizeInBits()));
}

// The nearest bfloat16, ties to even, as a float; the lowest bits of a NaN may not round it to
// infinity.
Value* round_to_bf16(Builder& b, Value* value) {
  llvm::Type* type = integer_like(b, value);
  const auto imm = [&](std::uint64_t bits) { return llvm::ConstantInt::get(type, bits); };
  Value* bits = b.CreateBitCast(value, type);
  Value* odd = b.CreateAnd(b.CreateLShr(bits, imm(16)), imm(1));
  Value* rounded = b.CreateAdd(bits, b.CreateAdd(odd, imm(0x7FFF)));
  Value* quiet = b.CreateOr(bits, imm(0x400000));
  Value* chosen = b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded);
  return b.CreateBitCast(b.CreateAnd(chosen, imm(0xFFFF0000)), value->getType());
}

// The exponent when `value` is (a splat of) a power of two.
std::optional<unsigned> log2_of(Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* imm = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant);
  if (imm == nullptr || !imm->getValue().isStrictlyPositive() || !imm->getValue().isPowerOf2())
    return {};
  return imm->getValue().logBase2();
}

Value* float_binary(Builder& b, BinaryOp op, Value* x, Value* y) {
  switch (op) {
    case BinaryOp::Add:
      return b.CreateFAdd(x, y);
    case BinaryOp::Sub:
      return b.CreateFSub(x, y);
    case BinaryOp::Mul:
      return b.CreateFMul(x, y);
    case BinaryOp::Div:
      return b.CreateFDiv(x, y);
    case BinaryOp::FloorDiv:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, b.CreateFDiv(x, y));
    case BinaryOp::Mod:
    case BinaryOp::FloorMod: {
      const auto round = op == BinaryOp::Mod ? llvm::Intrinsic::trunc : llvm::Intrinsic::floor;
      Value* quotient = b.CreateUnaryIntrinsic(round, b.CreateFDiv(x, y));
      return fma(b, b.CreateFNeg(quotient), y, x);
    }
    // The forms that are one instruction on x86; a NaN on the left stays.
    case BinaryOp::Min:
      return b.CreateSelect(b.CreateFCmpOLT(y, x), y, x);
    case BinaryOp::Max:
      return b.CreateSelect(b.CreateFCmpOLT(x, y), y, x);
    case BinaryOp::Eq:
      return b.CreateFCmpOEQ(x, y);
    case BinaryOp::Ne:
      return b.CreateFCmpUNE(x, y);
    case BinaryOp::Lt:
      return b.CreateFCmpOLT(x, y);
    case BinaryOp::Le:
      return b.CreateFCmpOLE(x, y);
    case BinaryOp::Gt:
      return b.CreateFCmpOGT(x, y);
    case BinaryOp::Ge:
      return b.CreateFCmpOGE(x, y);
    default:
      fail("and/or take bools");
  }
}

// Quotient and remainder that round towards minus infinity, from the truncating ones.
Value* floor_division(Builder& b, BinaryOp op, Value* x, Value* y) {
  Value* remainder = b.CreateSRem(x, y);
  Value* zero = llvm::Constant::getNullValue(x->getType());
  Value* inexact = b.CreateICmpNE(remainder, zero);
  Value* signs_differ = b.CreateICmpSLT(b.CreateXor(remainder, y), zero);
  Value* adjust = b.CreateAnd(inexact, signs_differ);
  if (op == BinaryOp::FloorMod) return b.CreateSelect(adjust, b.CreateAdd(remainder, y), remainder);
  return b.CreateAdd(b.CreateSDiv(x, y), b.CreateSExt(adjust, x->getType()));
}

Value* division(Builder& b, BinaryOp op, bool is_unsigned, bool non_negative, Value* x, Value* y) {
  const bool quotient = op == BinaryOp::Div || op == BinaryOp::FloorDiv;
  const bool floors = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod;
  if (const auto shift = log2_of(y); shift && (floors || is_unsigned || non_negative)) {
    Value* amount = llvm::ConstantInt::get(x->getType(), *shift);
    Value* mask = llvm::ConstantInt::get(x->getType(), (std::uint64_t{1} << *shift) - 1);
    if (!quotient) return b.CreateAnd(x, mask);
    return is_unsigned || non_negative ? b.CreateLShr(x, amount) : b.CreateAShr(x, amount);
  }
  const auto* divisor = llvm::dyn_cast<llvm::ConstantInt>(y);
  if (is_unsigned || (non_negative && divisor != nullptr && divisor->getValue().isStrictlyPositive())) {
    return quotient ? b.CreateUDiv(x, y) : b.CreateURem(x, y);
  }
  if (floors) return floor_division(b, op, x, y);
  return quotient ? b.CreateSDiv(x, y) : b.CreateSRem(x, y);
}

Value* int_binary(Builder& b, BinaryOp op, ir::Type type, Value* x, Value* y, bool non_negative) {
  const bool is_unsigned = !ir::is_signed_int(type.scalar);  // bools too
  // Index arithmetic never overflows; element arithmetic wraps.
  const bool no_wrap = type == ir::kIndex;
  const auto compare = [&](llvm::CmpInst::Predicate less_signed,
                           llvm::CmpInst::Predicate less_unsigned) {
    return b.CreateICmp(is_unsigned ? less_unsigned : less_signed, x, y);
  };
  switch (op) {
    case BinaryOp::Add:
      return b.CreateAdd(x, y, "", false, no_wrap);
    case BinaryOp::Sub:
      return b.CreateSub(x, y, "", false, no_wrap);
    case BinaryOp::Mul:
      return b.CreateMul(x, y, "", false, no_wrap);
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
      return division(b, op, is_unsigned, non_negative, x, y);
    case BinaryOp::Min:
      return b.CreateBinaryIntrinsic(is_unsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, x, y);
    case BinaryOp::Max:
      return b.CreateBinaryIntrinsic(is_unsigned ? llvm::Intrinsic::umax : llvm::Intrinsic::smax, x, y);
    case BinaryOp::Eq:
      return b.CreateICmpEQ(x, y);
    case BinaryOp::Ne:
      return b.CreateICmpNE(x, y);
    case BinaryOp::Lt:
      return compare(llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT);
    case BinaryOp::Le:
      return compare(llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE);
    case BinaryOp::Gt:
      return compare(llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT);
    case BinaryOp::Ge:
      return compare(llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE);
    case BinaryOp::And:
      return b.CreateAnd(x, y);
    case BinaryOp::Or:
      return b.CreateOr(x, y);
  }
  fail("no such operator");
}

Value* int_call(Builder& b, Function function, ir::Type type, llvm::ArrayRef<Value*> args) {
  const bool is_signed = ir::is_signed_int(type.scalar);
  switch (function) {
    case Function::Floor:
    case Function::Ceil:
    case Function::Round:
      return args[0];
    case Function::Abs:
      return is_signed ? b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, args[0], b.getFalse()) : args[0];
    case Function::Fma:
      return b.CreateAdd(b.CreateMul(args[0], args[1]), args[2]);
    case Function::ShiftLeft:
      return b.CreateShl(args[0], args[1]);
    case Function::ShiftRight:
      return is_signed ? b.CreateAShr(args[0], args[1]) : b.CreateLShr(args[0], args[1]);
    default:
      fail(fmt::format("{} has no meaning on {}", ir::name_of(function), ir::to_string(type)));
  }
}

Value* float_call(Builder& b, Function function, llvm::ArrayRef<Value*> args) {
  Value* x = args[0];
  switch (function) {
    case Function::Sqrt:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
    case Function::Floor:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x);
    case Function::Ceil:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, x);
    case Function::Round:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, x);
    case Function::Abs:
      return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    case Function::Fma:
      return fma(b, x, args[1], args[2]);
    default:
      return math_call(b, function, args);
  }
}

}  // namespace

llvm::Type* value_type(llvm::LLVMContext& context, ir::Type type) {
  return with_lanes(scalar_value_type(context, type.scalar), type.lanes);
}

llvm::Type* memory_type(llvm::LLVMContext& context, ir::Type type) {
  return with_lanes(scalar_memory_type(context, type.scalar), type.lanes);
}

Value* to_memory(Builder& b, ir::Type type, Value* value) {
  llvm::Type* stored = memory_type(b.getContext(), type);
  switch (type.scalar) {
    case Scalar::Bool:
      return b.CreateZExt(value, stored);
    case Scalar::F16:
      return b.CreateFPTrunc(value, stored);
    case Scalar::BF16: {
      Value* bits = b.CreateBitCast(value, integer_like(b, value));
      return b.CreateTrunc(b.CreateLShr(bits, 16), stored);
    }
    default:
      return value;
  }
}

Value* from_memory(Builder& b, ir::Type type, Value* stored) {
  llvm::Type* result = value_type(b.getContext(), type);
  switch (type.scalar) {
    case Scalar::Bool:
      return b.CreateICmpNE(stored, llvm::Constant::getNullValue(stored->getType()));
    case Scalar::F16:
      return b.CreateFPExt(stored, result);
    case Scalar::BF16: {
      llvm::Type* bits = with_lanes(b.getInt32Ty(), type.lanes);
      return b.CreateBitCast(b.CreateShl(b.CreateZExt(stored, bits), 16), result);
    }
    default:
      return stored;
  }
}

Value* constant(Builder& b, ir::Type type, double value) {
  llvm::APFloat number(value);
  bool inexact = false;
  const auto round = [&](const llvm::fltSemantics& format) {
    number.convert(format, llvm::APFloat::rmNearestTiesToEven, &inexact);
  };
  if (type.scalar == Scalar::F16) round(llvm::APFloat::IEEEhalf());
  if (type.scalar == Scalar::BF16) round(llvm::APFloat::BFloat());
  if (type.scalar != Scalar::F64) round(llvm::APFloat::IEEEsingle());
  return llvm::ConstantFP::get(value_type(b.getContext(), type), number);
}

Value* round_to(Builder& b, ir::Type type, Value* value) {
  if (type.scalar == Scalar::BF16) return round_to_bf16(b, value);
  if (type.scalar != Scalar::F16) return value;
  return b.CreateFPExt(b.CreateFPTrunc(value, memory_type(b.getContext(), type)), value->getType());
}

Value* binary(Builder& b, BinaryOp op, ir::Type type, Value* x, Value* y, bool non_negative) {
  if (!ir::is_float(type.scalar)) return int_binary(b, op, type, x, y, non_negative);
  Value* result = float_binary(b, op, x, y);
  const bool exact = op >= BinaryOp::Min;  // gives one of its operands, or a bool
  return exact ? result : round_to(b, type, result);
}

Value* fma(Builder& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fmuladd, {x->getType()}, {x, y, z});
}

Value* cast(Builder& b, ir::Type to, ir::Type from, Value* value) {
  llvm::Type* type = value_type(b.getContext(), to);
  const bool from_float = ir::is_float(from.scalar), to_float = ir::is_float(to.scalar);
  const bool from_signed = ir::is_signed_int(from.scalar);
  if (to.scalar == Scalar::Bool) {
    Value* zero = llvm::Constant::getNullValue(value->getType());
    return from_float ? b.CreateFCmpUNE(value, zero) : b.CreateICmpNE(value, zero);
  }
  if (from_float && to_float) return round_to(b, to, b.CreateFPCast(value, type));
  if (to_float)
    return round_to(b, to, from_signed ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type));
  if (!from_float) return b.CreateIntCast(value, type, from_signed);
  // The nearest value that fits, zero for a NaN.
  const auto convert =
      ir::is_signed_int(to.scalar) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b.CreateIntrinsic(convert, {type, value->getType()}, {value});
}

Value* call(Builder& b, Function function, ir::Type type, llvm::ArrayRef<Value*> args) {
  if (!ir::is_float(type.scalar)) return int_call(b, function, type, args);
  return round_to(b, type, float_call(b, function, args));
}

Value* reinterpret(Builder& b, ir::Type to, ir::Type from, Value* value) {
  Value* bits = b.CreateBitCast(to_memory(b, from, value), memory_type(b.getContext(), to));
  return from_memory(b, to, bits);
}

}  // namespace hone::codegen
