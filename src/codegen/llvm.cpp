// LLVM as a back end: the passes that pay, and machine code from them.
#include <fmt/format.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <array>
#include <map>
#include <mutex>

#include "base/error.h"
#include "codegen/describe.h"
#include "codegen/emit.h"
#include "codegen/image.h"
#include "codegen/kernel.h"

namespace hone::codegen {
namespace {

void initialise_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo(), LLVMInitializeX86Target(), LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo(), LLVMInitializeAArch64Target(), LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    // Three passes that cost and gain nothing here, and that have no other switch than this. Loop
    // strength reduction is most of the compile time of unrolled code, whose every address is already a
    // base and a constant. The scheduler after register allocation is a tenth, for processors that do
    // the same. Common subexpressions are gone from the IR before machine code is made of it.
    const std::array options = {"hone", "-disable-lsr", "-disable-post-ra", "-disable-machine-cse"};
    llvm::cl::ParseCommandLineOptions(static_cast<int>(options.size()), options.data());
  });
}

std::unique_ptr<llvm::TargetMachine> make_machine(const target::Target& target) {
  initialise_llvm();
  std::string error;
  const llvm::Target* backend = llvm::TargetRegistry::lookupTarget(target.triple, error);
  if (backend == nullptr)
    throw UserError(fmt::format("LLVM knows no target {}: {}", target.triple, error));
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // the emitter has decided what is fused
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      target.triple, target.cpu, target.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
      llvm::CodeGenOptLevel::Default));
}

// Machines are costly to make and belong to one thread.
llvm::TargetMachine& machine_for(const target::Target& target) {
  thread_local std::map<std::string, std::unique_ptr<llvm::TargetMachine>> machines;
  auto& machine = machines[target.triple + ' ' + target.cpu + ' ' + target.features];
  if (machine == nullptr) machine = make_machine(target);
  return *machine;
}

void run_passes(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                       /*UseMemorySSA=*/true));
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) passes.run(function, functions);
  }
}

// The optimised module of a program.
std::unique_ptr<llvm::Module> make_module(llvm::LLVMContext& context, const ir::Program& program,
                                          const MemoryPlan& plan, const target::Target& target) {
  llvm::TargetMachine& machine = machine_for(target);
  auto module = ModuleEmitter(context, program, plan, target).run();
  module->setDataLayout(machine.createDataLayout());
#ifdef HONE_DCHECK
  std::string problem;
  llvm::raw_string_ostream out(problem);
  if (llvm::verifyModule(*module, &out))
    fail(fmt::format("bad LLVM IR of {}: {}", program.name, problem));
#endif
  run_passes(*module, machine);
  return module;
}

llvm::SmallVector<char, 0> generate(llvm::Module& module, const target::Target& target,
                                    llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  if (machine_for(target).addPassesToEmitFile(passes, out, nullptr, type, /*DisableVerify=*/true)) {
    fail("LLVM cannot write objects for this target");
  }
  passes.run(module);
  return bytes;
}

}  // namespace

Kernel build_llvm(const ir::Program& program, const target::Target& target) {
  const MemoryPlan plan = plan_memory(program);
  Kernel kernel = describe(program, plan);
  llvm::LLVMContext context;  // of its own, so that nothing piles up over thousands of kernels
  const auto module = make_module(context, program, plan, target);
  const auto object = generate(*module, target, llvm::CodeGenFileType::ObjectFile);
  Image image = link_image(std::as_bytes(std::span(object.data(), object.size())));
  kernel.image = std::move(image.bytes);
  kernel.entry = image.entry;
  return kernel;
}

std::string print_llvm(const ir::Program& program, const target::Target& target) {
  llvm::LLVMContext context;
  const auto module = make_module(context, program, plan_memory(program), target);
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

std::string print_asm(const ir::Program& program, const target::Target& target) {
  llvm::LLVMContext context;
  const auto module = make_module(context, program, plan_memory(program), target);
  const auto text = generate(*module, target, llvm::CodeGenFileType::AssemblyFile);
  return {text.data(), text.size()};
}

}  // namespace hone::codegen
