#include "codegen/describe.h"

#include <algorithm>
#include <unordered_set>

#include "codegen/loops.h"
#include "ir/simplify.h"

namespace hone::codegen {

Kernel describe(const ir::Program& program, const MemoryPlan& plan) {
  Kernel kernel;
  kernel.name = program.name;
  kernel.scratch_bytes = plan.scratch_bytes;
  kernel.thread_scratch_bytes = plan.thread_scratch_bytes;
  std::unordered_set<const ir::BufferNode*> written;
  ir::Ranges ranges;
  for (const ir::Stmt& stmt : program.stmts) {
    if (const auto* store = stmt.as<ir::Store>()) written.insert(store->buffer.get());
    if (const auto* intrinsic = stmt.as<ir::Intrinsic>()) {
      for (const ir::Region& region : intrinsic->writes) written.insert(region.buffer.get());
    }
    if (const auto* loop = stmt.as<ir::For>()) {
      const ir::Interval extent = ir::bounds(loop->extent, ranges);
      if (is_spread(*loop)) kernel.parallel_extent = std::max(kernel.parallel_extent, extent.max);
      ranges[loop->var.get()] = loop_range(*loop, ranges);
    }
    if (const auto* let = stmt.as<ir::Let>(); let != nullptr && let->var.type() == ir::kIndex) {
      ranges[let->var.get()] = ir::bounds(let->value, ranges);
    }
  }
  for (const ir::Buffer& param : program.params) {
    Parameter parameter;
    parameter.name = param->name;
    parameter.type = param->type;
    parameter.shape = param->shape;
    parameter.strides = ir::strides_of(*param);
    parameter.is_output = written.contains(param.get());
    parameter.size_bytes = ir::span_elements(*param) * ir::size_bytes(param->type.scalar);
    kernel.parameters.push_back(std::move(parameter));
  }
  return kernel;
}

}  // namespace hone::codegen
