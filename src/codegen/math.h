// Math functions as straight-line LLVM IR: no calls, scalars and vectors of any length from one code.
//
// Arguments are float or double (or vectors of them). Infinities, zeros, denormals and NaNs give what
// C's functions give. Largest error found over the whole range, by type (ulp = units in the last
// place):
//
//              exp       log       erf       tanh      sigmoid   rsqrt     pow
//   float      1 ulp     1 ulp     4.5 ulp   4.5 ulp   2.5 ulp   1.5 ulp   1 ulp
//   double     1.1 ulp   1 ulp     2 ulp     2 ulp     2.5 ulp   1.5 ulp   relative 2e-13
//
// math_test.cpp checks these bounds.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace hone::codegen::math {

llvm::Value* exp(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* log(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* erf(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* tanh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* sigmoid(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* rsqrt(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* pow(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);

}  // namespace hone::codegen::math
