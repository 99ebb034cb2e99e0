// Statements: loops, branches, allocations, parallel bodies.
#include <fmt/format.h>

#include <cstddef>

#include "base/error.h"
#include "codegen/emit.h"
#include "codegen/loops.h"
#include "codegen/repeated_loads.h"
#include "runtime/kernel_abi.h"

namespace hone::codegen {

using llvm::Value;

namespace {

llvm::MDNode* integer_node(llvm::LLVMContext& context, std::int64_t number) {
  auto* value =
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), static_cast<std::uint64_t>(number));
  return llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(value));
}

}  // namespace

FunctionEmitter::FunctionEmitter(ModuleEmitter& module, llvm::Function* function)
    : module_(module), function_(function), b_(module.context) {
  b_.SetInsertPoint(llvm::BasicBlock::Create(module.context, "entry", function));
  open_scope();
  entry_end_ = scopes_.front().end;
}

void FunctionEmitter::open_scope() {
  llvm::BasicBlock* next = new_block("scope");
  scopes_.push_back({b_.CreateBr(next), {}, {}});
  b_.SetInsertPoint(next);
}

llvm::BasicBlock* FunctionEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(module_.context, name, function_);
}

Value* FunctionEmitter::stack_slot(llvm::Type* type, llvm::Align align) {
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(entry_end_);
  llvm::AllocaInst* slot = b_.CreateAlloca(type);
  slot->setAlignment(align);
  return slot;
}

// A pointer that the caller gave, with what the calling convention promises of it.
Value* FunctionEmitter::load_pointer(Value* place, std::int64_t size_bytes) {
  llvm::LoadInst* load = b_.CreateLoad(b_.getPtrTy(), place);
  llvm::MDNode* empty = llvm::MDNode::get(module_.context, {});
  load->setMetadata(llvm::LLVMContext::MD_nonnull, empty);
  load->setMetadata(llvm::LLVMContext::MD_noundef, empty);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, empty);
  if (size_bytes > 0) {
    load->setMetadata(llvm::LLVMContext::MD_dereferenceable, integer_node(module_.context, size_bytes));
  }
  return load;
}

void FunctionEmitter::load_parameters(Value* call) {
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(entry_end_);
  const auto field = [&](std::size_t offset) {
    return b_.CreateConstGEP1_64(b_.getInt8Ty(), call, offset);
  };
  Value* buffers = load_pointer(field(offsetof(hone_call, buffers)));
  scratch_ = load_pointer(field(offsetof(hone_call, scratch)));
  table_ = load_pointer(field(offsetof(hone_call, table)));
  for (std::size_t i = 0; i < module_.program.params.size(); ++i) {
    const ir::BufferNode& buffer = *module_.program.params[i];
    Value* place = b_.CreateConstGEP1_64(b_.getPtrTy(), buffers, i);
    pointers_[&buffer] =
        load_pointer(place, ir::span_elements(buffer) * ir::size_bytes(buffer.type.scalar));
  }
}

void FunctionEmitter::finish() { b_.CreateRetVoid(); }

void FunctionEmitter::statements(std::int32_t begin, std::int32_t end) {
  const auto& stmts = module_.program.stmts;
  for (std::int32_t i = begin; i < end;) {
    const ir::Stmt& stmt = stmts[static_cast<std::size_t>(i)];
    std::int32_t next = stmt.end;
    if (const auto* condition = stmt.as<ir::If>()) {
      const bool has_else = next < end && stmts[static_cast<std::size_t>(next)].as<ir::Else>();
      branch(*condition, i, has_else ? next : -1);
      if (has_else) next = stmts[static_cast<std::size_t>(next)].end;
    } else {
      statement(stmt, i);
    }
    i = next;
  }
}

void FunctionEmitter::statement(const ir::Stmt& stmt, std::int32_t position) {
  const std::int32_t body = position + 1;
  const std::size_t n_scopes = scopes_.size();
  hone::match(
      stmt.kind, [&](const ir::For& n) { loop(n, body, stmt.end); },
      [&](const ir::Store& n) { store(n); },
      [&](const ir::Alloc& n) {
        alloc(*n.buffer);
        statements(body, stmt.end);
      },
      [&](const ir::If&) { fail("a branch is emitted with its else"); },
      [&](const ir::Else&) { fail("an else stands behind its if"); },
      [&](const ir::Let& n) {
        let(n);
        statements(body, stmt.end);
      },
      [&](const ir::Barrier&) { throw UserError("barriers are for GPU programs, not for CPU code"); },
      [&](const ir::Intrinsic& n) { intrinsic(n); });
  forget_since(0);
  scopes_.resize(n_scopes);
}

void FunctionEmitter::branch(const ir::If& n, std::int32_t position, std::int32_t else_position) {
  const auto end_of = [&](std::int32_t i) {
    return module_.program.stmts[static_cast<std::size_t>(i)].end;
  };
  Value* condition = value(n.condition);
  forget_since(0);
  llvm::BasicBlock* then_block = new_block("then");
  llvm::BasicBlock* join = new_block("endif");
  llvm::BasicBlock* else_block = else_position < 0 ? join : new_block("else");
  b_.CreateCondBr(condition, then_block, else_block);
  b_.SetInsertPoint(then_block);
  statements(position + 1, end_of(position));
  b_.CreateBr(join);
  if (else_position >= 0) {
    b_.SetInsertPoint(else_block);
    statements(else_position + 1, end_of(else_position));
    b_.CreateBr(join);
  }
  b_.SetInsertPoint(join);
}

void FunctionEmitter::let(const ir::Let& n) {
  if (n.var.type() == ir::kIndex) ranges_[n.var.get()] = ir::bounds(n.value, ranges_);
  const auto scope = scope_of(n.value);
  Value* result = value(n.value);
  forget_since(0);
  if (scope || ir::is_float(n.var.type().scalar) || n.var.type().lanes > 1) {
    variables_[n.var.get()] = {result, scope.value_or(kFixed)};
    return;
  }
  open_scope();  // arithmetic on an index that was loaded is placed behind the load
  variables_[n.var.get()] = {result, scopes_.size() - 1};
}

void FunctionEmitter::alloc(const ir::BufferNode& buffer) {
  const Placement& placement = module_.plan.placements.at(&buffer);
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(entry_end_);
  const auto integer = [&](std::int64_t number) {
    return b_.getInt64(static_cast<std::uint64_t>(number));
  };
  const auto in_scratch = [&](Value* slice, std::int64_t offset_bytes) {
    return b_.CreateGEP(b_.getInt8Ty(), scratch_, b_.CreateNSWAdd(slice, integer(offset_bytes)));
  };
  switch (placement.storage) {
    case Storage::Registers: {
      std::vector<Value*>& slots = registers_[&buffer];
      for (std::int64_t i = 0; i < ir::span_elements(buffer); ++i) {
        slots.push_back(b_.CreateAlloca(value_type(module_.context, buffer.type)));
      }
      return;
    }
    case Storage::Stack:
      pointers_[&buffer] = stack_slot(
          llvm::ArrayType::get(b_.getInt8Ty(), static_cast<std::uint64_t>(placement.size_bytes)),
          llvm::Align(64));
      return;
    case Storage::Shared:
      pointers_[&buffer] = in_scratch(b_.getInt64(0), placement.offset_bytes);
      return;
    case Storage::Thread: {
      check(thread_ != nullptr, "thread scratch is for parallel bodies");
      Value* slices = b_.CreateNSWMul(thread_, integer(module_.plan.thread_scratch_bytes));
      pointers_[&buffer] = in_scratch(slices, module_.plan.scratch_bytes + placement.offset_bytes);
      return;
    }
  }
}

void FunctionEmitter::loop(const ir::For& n, std::int32_t body, std::int32_t end) {
  check_cpu_loop(n);
  const ir::Interval extent = ir::bounds(n.extent, ranges_);
  ranges_[n.var.get()] = loop_range(n, ranges_);
  if (extent.max <= 0) return;
  if (is_spread(n) && thread_ == nullptr) return parallel_loop(n, body, end);
  if (extent.is_point() && extent.min == 1) {
    variables_[n.var.get()] = {value(n.min), scope_of(n.min).value_or(kFixed)};
    return statements(body, end);
  }
  Value* first = value(n.min);
  Value* last = b_.CreateNSWAdd(first, value(n.extent));
  forget_since(0);
  llvm::Instruction* latch =
      counted_loop(n.var, first, last, extent.min > 0, [&] { statements(body, end); });
  // More than there are registers would be loaded in front of the loop, stored on the stack, and loaded
  // from there.
  const auto registers = static_cast<std::size_t>(module_.target.vector_registers);
  if (repeated_loads(module_.program, body - 1) > registers) stay_in_loop(latch);
}

// What the loop loads is not moved in front of it.
void FunctionEmitter::stay_in_loop(llvm::Instruction* latch) {
  llvm::LLVMContext& context = module_.context;
  llvm::MDNode* rule = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.licm.disable"));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, {nullptr, rule});
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

// for (var = first; var < last; ++var), tested behind the body and, unless it surely runs, before it.
// The test behind the body is returned.
llvm::Instruction* FunctionEmitter::counted_loop(const ir::Expr& var, Value* first, Value* last,
                                                 bool surely_runs, const std::function<void()>& body) {
  llvm::BasicBlock* head = new_block("loop");
  llvm::BasicBlock* exit = new_block("loop.end");
  if (surely_runs) {
    b_.CreateBr(head);
  } else {
    llvm::BasicBlock* guarded = new_block("loop.enter");
    b_.CreateCondBr(b_.CreateICmpSLT(first, last), guarded, exit);
    b_.SetInsertPoint(guarded);
    b_.CreateBr(head);
  }
  llvm::BasicBlock* before = b_.GetInsertBlock();
  b_.SetInsertPoint(head);
  llvm::PHINode* counter = b_.CreatePHI(b_.getInt64Ty(), 2, std::string(ir::name_of(var)));
  counter->addIncoming(first, before);
  open_scope();
  variables_[var.get()] = {counter, scopes_.size() - 1};
  body();
  scopes_.pop_back();
  Value* next = b_.CreateNSWAdd(counter, b_.getInt64(1));
  counter->addIncoming(next, b_.GetInsertBlock());
  llvm::Instruction* latch = b_.CreateCondBr(b_.CreateICmpSLT(next, last), head, exit);
  b_.SetInsertPoint(exit);
  return latch;
}

// The body becomes a function of its own, which gets all it uses from here through one struct: the
// scratch, then pointers of buffers, then values of variables.
void FunctionEmitter::parallel_loop(const ir::For& n, std::int32_t body, std::int32_t end) {
  const Capture captured = capture(module_.program, body - 1, end);
  std::vector<Value*> fields = {scratch_};
  for (const ir::Buffer& buffer : captured.buffers) {
    const auto pointer = pointers_.find(buffer.get());
    if (pointer == pointers_.end())
      fail(fmt::format("buffer {} cannot enter a parallel loop", buffer->name));
    fields.push_back(pointer->second);
  }
  for (const ir::Expr& variable : captured.variables) fields.push_back(value(variable));
  std::vector<llvm::Type*> types;
  for (Value* field : fields) types.push_back(field->getType());
  llvm::StructType* layout = llvm::StructType::get(module_.context, types);
  Value* context = stack_slot(layout, llvm::Align(64));
  for (unsigned i = 0; i < fields.size(); ++i)
    b_.CreateStore(fields[i], b_.CreateStructGEP(layout, context, i));

  llvm::Function* function = module_.make_body();
  FunctionEmitter inner(module_, function);
  inner.load_capture(captured, layout);
  inner.ranges_ = ranges_;
  inner.slice_of(n, body, end);

  Value* parallel = b_.CreateLoad(
      b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getInt8Ty(), table_, offsetof(hone_table, parallel)));
  auto* type = llvm::FunctionType::get(
      b_.getVoidTy(), {b_.getPtrTy(), b_.getPtrTy(), b_.getPtrTy(), b_.getInt64Ty()}, false);
  b_.CreateCall(type, parallel, {table_, function, context, value(n.extent)});
}

void FunctionEmitter::load_capture(const Capture& captured, llvm::StructType* layout) {
  const Builder::InsertPointGuard guard(b_);
  b_.SetInsertPoint(entry_end_);
  unsigned field = 0;
  Value* context = function_->getArg(0);
  const auto place = [&] { return b_.CreateStructGEP(layout, context, field++); };
  scratch_ = load_pointer(place());
  for (const ir::Buffer& buffer : captured.buffers) {
    pointers_[buffer.get()] =
        load_pointer(place(), ir::span_elements(*buffer) * ir::size_bytes(buffer->type.scalar));
  }
  for (const ir::Expr& variable : captured.variables) {
    llvm::Type* type = value_type(module_.context, variable.type());
    variables_[variable.get()] = {b_.CreateLoad(type, place()), 0};
  }
}

// The body of a parallel loop's function: iterations [begin, end) of its arguments, counted from zero.
void FunctionEmitter::slice_of(const ir::For& n, std::int32_t body, std::int32_t end) {
  thread_ = function_->getArg(3);
  Value* min = value(n.min);
  Value* first = b_.CreateNSWAdd(min, function_->getArg(1));
  Value* last = b_.CreateNSWAdd(min, function_->getArg(2));
  counted_loop(n.var, first, last, false, [&] { statements(body, end); });
  finish();
}

void FunctionEmitter::intrinsic(const ir::Intrinsic& n) {
  const Access access = find_prefetch(n, ranges_);
  Value* pointer = address(*n.reads.front().buffer, access.offset).pointer;
  constexpr std::uint32_t kRead = 0, kKeepInAllCaches = 3, kData = 1;
  b_.CreateIntrinsic(llvm::Intrinsic::prefetch, {b_.getPtrTy()},
                     {pointer, b_.getInt32(kRead), b_.getInt32(kKeepInAllCaches), b_.getInt32(kData)});
}

}  // namespace hone::codegen
