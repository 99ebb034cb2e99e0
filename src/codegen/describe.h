// All of a kernel but its code.
#pragma once
#include "codegen/kernel.h"
#include "codegen/plan.h"

namespace hone::codegen {

Kernel describe(const ir::Program& program, const MemoryPlan& plan);

}  // namespace hone::codegen
