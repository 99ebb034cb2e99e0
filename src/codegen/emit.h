// From a loop program to an LLVM module: one function for the entry and one for the body of each
// parallel loop. Internal to codegen; what leaves the folder is in kernel.h.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codegen/access.h"
#include "codegen/arith.h"
#include "codegen/capture.h"
#include "codegen/plan.h"
#include "ir/expr_hash.h"
#include "ir/program.h"
#include "ir/simplify.h"
#include "target/target.h"

namespace hone::codegen {

// What all functions of a module share.
class ModuleEmitter {
 public:
  ModuleEmitter(llvm::LLVMContext& llvm_context, const ir::Program& ir_program,
                const MemoryPlan& memory_plan, const target::Target& machine);

  std::unique_ptr<llvm::Module> run();

  llvm::Function* make_body();  // an empty function for the body of a parallel loop
  // Says of an access that it touches this buffer and none that lives elsewhere in memory.
  void mark(llvm::Instruction* access, const ir::BufferNode& buffer) const;

  llvm::LLVMContext& context;
  const ir::Program& program;
  const MemoryPlan& plan;
  const target::Target& target;

 private:
  struct AliasTags {
    llvm::MDNode* own;
    llvm::MDNode* others;
  };
  llvm::Function* make_function(const std::string& name, llvm::ArrayRef<llvm::Type*> params,
                                llvm::GlobalValue::LinkageTypes linkage);
  void tag_buffers();

  std::unique_ptr<llvm::Module> module_;
  std::unordered_map<const ir::BufferNode*, AliasTags> tags_;
  std::unordered_set<const ir::BufferNode*> written_;
  int bodies_ = 0;
};

// Emits statements into one function.
//
// Integer arithmetic over loop variables is placed where its innermost variable becomes known, not
// where it is used, and is made once a scope: so addresses come out hoisted and shared, and what
// remains at an access is a constant displacement.
class FunctionEmitter {
 public:
  FunctionEmitter(ModuleEmitter& module, llvm::Function* function);

  void load_parameters(llvm::Value* call);  // of the entry, from its hone_call
  void statements(std::int32_t begin, std::int32_t end);
  void finish();

 private:
  using Terms = std::vector<std::pair<llvm::Value*, std::int64_t>>;  // factor and coefficient
  // A place in the code from which on some variables are known.
  struct Scope {
    llvm::Instruction* end;  // hoisted code is inserted before it
    std::unordered_map<ir::Expr, llvm::Value*, ir::ExprHash, ir::ExprEqual> values;
    std::map<std::pair<llvm::Value*, Terms>, llvm::Value*> pointers;
  };
  static constexpr std::size_t kFixed = std::numeric_limits<std::size_t>::max();
  struct Binding {
    llvm::Value* value;
    std::size_t scope;  // from which it is known; kFixed when code that uses it must stay in its place
  };
  struct Address {
    llvm::Value* pointer;
    llvm::Align align;
  };

  // emit_stmt.cpp
  void statement(const ir::Stmt& stmt, std::int32_t position);
  void branch(const ir::If& n, std::int32_t position, std::int32_t else_position);  // -1: no else
  void let(const ir::Let& n);
  void alloc(const ir::BufferNode& buffer);
  void loop(const ir::For& n, std::int32_t body, std::int32_t end);
  llvm::Instruction* counted_loop(const ir::Expr& var, llvm::Value* first, llvm::Value* last,
                                  bool surely_runs, const std::function<void()>& body);
  void stay_in_loop(llvm::Instruction* latch);
  void parallel_loop(const ir::For& n, std::int32_t body, std::int32_t end);
  void load_capture(const Capture& captured, llvm::StructType* layout);
  void slice_of(const ir::For& n, std::int32_t body, std::int32_t end);
  void intrinsic(const ir::Intrinsic& n);
  void open_scope();
  llvm::BasicBlock* new_block(const char* name);
  llvm::Value* stack_slot(llvm::Type* type, llvm::Align align);
  llvm::Value* load_pointer(llvm::Value* place, std::int64_t size_bytes = 0);

  // emit_expr.cpp
  llvm::Value* value(const ir::Expr& e);
  llvm::Value* hoisted_value(const ir::Expr& e, std::size_t scope);
  llvm::Value* fresh_value(const ir::Expr& e);
  llvm::Value* binary_value(const ir::Expr& e, const ir::Binary& n);
  llvm::Value* fused(const ir::Expr& e, const ir::Binary& n);
  llvm::Value* select_value(const ir::Expr& e, const ir::Select& n);
  llvm::Value* ramp_value(ir::Type type, const ir::Ramp& n);
  llvm::Value* lane_by_lane(const ir::Expr& e);
  ir::Expr extract(const ir::Expr& vector, int lane);
  // From where on an integer expression can be computed; empty when it must stay in its place.
  std::optional<std::size_t> scope_of(const ir::Expr& e) const;
  void forget_since(std::size_t known);

  // emit_access.cpp
  Address address(const ir::BufferNode& buffer, const ir::Linear& offset);
  llvm::Value* pointer_at(std::size_t scope, llvm::Value* base, llvm::Type* element,
                          const Terms& terms);
  llvm::Value* register_slot(const ir::BufferNode& buffer, const std::vector<ir::Expr>& index);
  llvm::Value* load_value(const ir::Expr& e, const ir::Load& n);
  llvm::Value* load_at(const ir::BufferNode& buffer, const ir::Linear& offset, ir::Type type);
  llvm::Value* strided_load(const ir::BufferNode& buffer, const Access& access, ir::Type type);
  void store(const ir::Store& n);
  void store_at(const ir::BufferNode& buffer, const ir::Linear& offset, ir::Type type,
                llvm::Value* element);
  void store_lane(const ir::Store& n, int lane, llvm::Value* element);

  ModuleEmitter& module_;
  llvm::Function* function_;
  Builder b_;
  llvm::Instruction* entry_end_ = nullptr;  // of the block that holds pointers and stack slots
  std::vector<Scope> scopes_;               // outermost first
  std::unordered_map<const ir::Node*, Binding> variables_;
  std::unordered_map<const ir::BufferNode*, llvm::Value*> pointers_;
  std::unordered_map<const ir::BufferNode*, std::vector<llvm::Value*>> registers_;
  // What the current statement has computed, and its expressions in order, which keeps them alive.
  std::unordered_map<const ir::Node*, llvm::Value*> in_statement_;
  std::vector<ir::Expr> statement_order_;
  ir::Ranges ranges_;
  llvm::Value* table_ = nullptr;  // null in a parallel body, where nested loops run serially
  llvm::Value* scratch_ = nullptr;
  llvm::Value* thread_ = nullptr;  // number of the thread that runs a parallel body; null in the entry
};

}  // namespace hone::codegen
