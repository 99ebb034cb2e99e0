#include "codegen/emit.h"

#include <fmt/format.h>
#include <llvm/IR/MDBuilder.h>

#include "codegen/image.h"

namespace hone::codegen {

ModuleEmitter::ModuleEmitter(llvm::LLVMContext& llvm_context, const ir::Program& ir_program,
                             const MemoryPlan& memory_plan, const target::Target& machine)
    : context(llvm_context),
      program(ir_program),
      plan(memory_plan),
      target(machine),
      module_(std::make_unique<llvm::Module>(ir_program.name, llvm_context)) {
  module_->setTargetTriple(target.triple);
  module_->setPICLevel(llvm::PICLevel::SmallPIC);
  tag_buffers();
}

std::unique_ptr<llvm::Module> ModuleEmitter::run() {
  llvm::Function* entry = make_function(kEntryName, {llvm::PointerType::getUnqual(context)},
                                        llvm::GlobalValue::ExternalLinkage);
  FunctionEmitter emitter(*this, entry);
  emitter.load_parameters(entry->getArg(0));
  emitter.statements(0, static_cast<std::int32_t>(program.stmts.size()));
  emitter.finish();
  return std::move(module_);
}

llvm::Function* ModuleEmitter::make_body() {
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* index = llvm::Type::getInt64Ty(context);
  return make_function(fmt::format("parallel_{}", bodies_++), {pointer, index, index, index},
                       llvm::GlobalValue::InternalLinkage);
}

llvm::Function* ModuleEmitter::make_function(const std::string& name,
                                             llvm::ArrayRef<llvm::Type*> params,
                                             llvm::GlobalValue::LinkageTypes linkage) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), params, false);
  llvm::Function* function = llvm::Function::Create(type, linkage, name, *module_);
  function->setDSOLocal(true);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr("target-cpu", target.cpu);
  function->addFnAttr("target-features", target.features);
  // Both, or LLVM splits 512-bit vectors on processors where it prefers shorter ones.
  function->addFnAttr("prefer-vector-width", std::to_string(target.vector_bits));
  function->addFnAttr("min-legal-vector-width", std::to_string(target.vector_bits));
  return function;
}

// Buffers that never share memory are told apart by scoped alias metadata.
void ModuleEmitter::tag_buffers() {
  std::vector<const ir::BufferNode*> buffers;
  for (const ir::Buffer& param : program.params) buffers.push_back(param.get());
  for (const ir::Stmt& stmt : program.stmts) {
    if (const auto* alloc = stmt.as<ir::Alloc>()) {
      if (alloc->buffer->scope != ir::Scope::Register) buffers.push_back(alloc->buffer.get());
    }
    if (const auto* store = stmt.as<ir::Store>()) written_.insert(store->buffer.get());
    if (const auto* intrinsic = stmt.as<ir::Intrinsic>()) {
      for (const ir::Region& region : intrinsic->writes) written_.insert(region.buffer.get());
    }
  }
  llvm::MDBuilder metadata(context);
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
  std::vector<llvm::Metadata*> scopes;
  for (const ir::BufferNode* buffer : buffers) {
    scopes.push_back(metadata.createAnonymousAliasScope(domain, buffer->name));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<llvm::Metadata*> others;
    for (std::size_t j = 0; j < buffers.size(); ++j) {
      if (!plan.may_overlap(*buffers[i], *buffers[j])) others.push_back(scopes[j]);
    }
    tags_[buffers[i]] = {llvm::MDNode::get(context, scopes[i]), llvm::MDNode::get(context, others)};
  }
}

void ModuleEmitter::mark(llvm::Instruction* access, const ir::BufferNode& buffer) const {
  const AliasTags& tags = tags_.at(&buffer);
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, tags.own);
  access->setMetadata(llvm::LLVMContext::MD_noalias, tags.others);
  if (!written_.contains(&buffer)) {
    access->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  }
}

}  // namespace hone::codegen
