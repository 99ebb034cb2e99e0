// A task and its steps, all the way to a kernel.
#pragma once
#include <memory>

#include "codegen/kernel.h"
#include "lower/optimise.h"
#include "schedule/layout.h"
#include "schedule/state.h"

namespace hone::codegen {

enum class Backend : std::uint8_t { Llvm, C };

struct CompileOptions {
  Backend backend = Backend::Llvm;
  bool pack_constants = true;  // layout-free operands arrive packed as the schedule reads them
  // Of the parameters, in elements; those that have none are dense.
  std::vector<std::vector<std::int64_t>> strides = {};
};

// The loop programs of a candidate; throws UserError when a step is illegal.
ir::Program plain_nest(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps,
                       const CompileOptions& options = {});
// After the passes that code needs: what a back end translates.
ir::Program optimised_loops(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps,
                            const target::Target& target, const CompileOptions& options = {});
Kernel compile(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps,
               const target::Target& target, const CompileOptions& options = {});

}  // namespace hone::codegen
