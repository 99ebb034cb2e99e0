#include "codegen/math.h"

#include "base/error.h"
#include "codegen/arith.h"
#include "codegen/formula.h"

namespace hone::codegen {
namespace {

// The operations of the formulas as LLVM instructions.
struct LlvmLanes {
  using Value = llvm::Value*;
  using Int = llvm::Value*;
  using Mask = llvm::Value*;

  Builder& b;
  llvm::Type* type;
  llvm::Type* int_type;
  bool is_double;

  LlvmLanes(Builder& builder, llvm::Type* float_type)
      : b(builder),
        type(float_type),
        int_type(type->getWithNewType(b.getIntNTy(type->getScalarSizeInBits()))),
        is_double(type->getScalarType()->isDoubleTy()) {}

  Value num(double value) const { return llvm::ConstantFP::get(type, value); }
  Value add(Value x, Value y) const { return b.CreateFAdd(x, y); }
  Value sub(Value x, Value y) const { return b.CreateFSub(x, y); }
  Value mul(Value x, Value y) const { return b.CreateFMul(x, y); }
  Value div(Value x, Value y) const { return b.CreateFDiv(x, y); }
  Value neg(Value x) const { return b.CreateFNeg(x); }
  Value fma(Value x, Value y, Value z) const { return codegen::fma(b, x, y, z); }
  Value abs(Value x) const { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  Value sqrt(Value x) const { return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x); }
  Value floor(Value x) const { return b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x); }
  Value with_sign_of(Value magnitude, Value sign) const {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign);
  }

  Mask less(Value x, Value y) const { return b.CreateFCmpOLT(x, y); }
  Mask equal(Value x, Value y) const { return b.CreateFCmpOEQ(x, y); }
  Mask both(Mask x, Mask y) const { return b.CreateAnd(x, y); }
  Mask either(Mask x, Mask y) const { return b.CreateOr(x, y); }
  Mask inverse(Mask x) const { return b.CreateNot(x); }
  Value select(Mask mask, Value x, Value y) const { return b.CreateSelect(mask, x, y); }

  Int imm(std::int64_t value) const { return llvm::ConstantInt::getSigned(int_type, value); }
  Int bits(Value x) const { return b.CreateBitCast(x, int_type); }
  Value floats(Int x) const { return b.CreateBitCast(x, type); }
  Int int_add(Int x, Int y) const { return b.CreateAdd(x, y); }
  Int int_sub(Int x, Int y) const { return b.CreateSub(x, y); }
  Int shift_left(Int x, std::uint64_t places) const { return b.CreateShl(x, places); }
  Int shift_right(Int x, std::uint64_t places) const { return b.CreateAShr(x, places); }
  Value to_float(Int x) const {  // of a small number: few processors convert 64 bits
    return b.CreateSIToFP(b.CreateTrunc(x, int_type->getWithNewBitWidth(32)), type);
  }
};

// The exponents 2 and 3, which normalisations and GELU have, need no logarithm.
llvm::Value* small_power(const LlvmLanes& f, llvm::Value* x, llvm::Value* y) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(y);
  if (constant != nullptr && constant->getType()->isVectorTy()) constant = constant->getSplatValue();
  const auto* exponent = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (exponent == nullptr) return nullptr;
  if (exponent->isExactlyValue(2.0)) return f.mul(x, x);
  if (exponent->isExactlyValue(3.0)) return f.mul(f.mul(x, x), x);
  return nullptr;
}

// Floats go through double, or the error of the logarithm would grow by up to 88.
llvm::Value* power(const LlvmLanes& f, llvm::Value* x, llvm::Value* y) {
  if (llvm::Value* product = small_power(f, x, y)) return product;
  if (f.is_double) return formula::pow(f, x, y);
  const LlvmLanes wide(f.b, f.type->getWithNewType(f.b.getDoubleTy()));
  llvm::Value* result =
      formula::pow(wide, f.b.CreateFPExt(x, wide.type), f.b.CreateFPExt(y, wide.type));
  return f.b.CreateFPTrunc(result, f.type);
}

}  // namespace

llvm::Value* math_call(llvm::IRBuilder<>& b, ir::Function function, llvm::ArrayRef<llvm::Value*> args) {
  const LlvmLanes f(b, args[0]->getType());
  switch (function) {
    case ir::Function::Exp:
      return formula::exp(f, args[0]);
    case ir::Function::Log:
      return formula::log(f, args[0]);
    case ir::Function::Erf:
      return formula::erf(f, args[0]);
    case ir::Function::Tanh:
      return formula::tanh(f, args[0]);
    case ir::Function::Sigmoid:
      return formula::sigmoid(f, args[0]);
    case ir::Function::Rsqrt:
      return formula::rsqrt(f, args[0]);
    case ir::Function::Pow:
      return power(f, args[0], args[1]);
    default:
      fail("not a function with a formula");
  }
}

}  // namespace hone::codegen
