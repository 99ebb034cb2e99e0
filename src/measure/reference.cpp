#include "measure/reference.h"

#include "codegen/compile.h"

namespace hone::measure {

codegen::Kernel reference_kernel(const std::shared_ptr<const task::Task>& task,
                                 const target::Target& target) {
  return codegen::compile(task, {}, target, {.pack_constants = false});
}

}  // namespace hone::measure
