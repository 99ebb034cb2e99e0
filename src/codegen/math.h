// Math functions as straight-line LLVM IR: no calls, scalars and vectors of any length from one code.
// The formulas and their errors are in formula.h.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include "ir/expr.h"

namespace hone::codegen {

// Exp, Log, Erf, Tanh, Sigmoid, Rsqrt or Pow of floats or doubles.
llvm::Value* math_call(llvm::IRBuilder<>& b, ir::Function function, llvm::ArrayRef<llvm::Value*> args);

}  // namespace hone::codegen
