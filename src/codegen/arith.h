// The arithmetic of ir expressions on LLVM values: types, operators, casts. Knows nothing of programs.
//
// Values of float16 and bfloat16 are held as float, always rounded to their type; bools are i1. In
// memory the small floats take two bytes and a bool takes one.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include "ir/expr.h"

namespace hone::codegen {

using Builder = llvm::IRBuilder<>;

llvm::Type* value_type(llvm::LLVMContext& context, ir::Type type);
llvm::Type* memory_type(llvm::LLVMContext& context, ir::Type type);
llvm::Value* to_memory(Builder& b, ir::Type type, llvm::Value* value);
llvm::Value* from_memory(Builder& b, ir::Type type, llvm::Value* stored);

llvm::Value* constant(Builder& b, ir::Type type, double value);  // of a float type, splat for vectors
// Rounds a float that an operation gave to the type's precision; other types stay as they are.
llvm::Value* round_to(Builder& b, ir::Type type, llvm::Value* value);

// `type` is the operands'. Division fast paths: `non_negative` says that the left operand of an integer
// operation is known to be at least zero.
llvm::Value* binary(Builder& b, ir::BinaryOp op, ir::Type type, llvm::Value* x, llvm::Value* y,
                    bool non_negative = false);
// x * y + z rounded once where the machine can do that; elsewhere the product is rounded, too.
llvm::Value* fma(Builder& b, llvm::Value* x, llvm::Value* y, llvm::Value* z);
llvm::Value* cast(Builder& b, ir::Type to, ir::Type from, llvm::Value* value);
llvm::Value* call(Builder& b, ir::Function function, ir::Type type, llvm::ArrayRef<llvm::Value*> args);
llvm::Value* reinterpret(Builder& b, ir::Type to, ir::Type from, llvm::Value* value);

}  // namespace hone::codegen
