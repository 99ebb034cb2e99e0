#include "codegen/compile.h"

#include "lower/nest.h"

namespace hone::codegen {
namespace {

// What the caller sees of the parameters: the nest's shapes, not the flat ones that code works on.
std::vector<Parameter> parameters_of(const ir::Program& nest, const task::Task& task) {
  std::vector<Parameter> parameters;
  const std::size_t n_inputs = task.placeholders().size();
  for (const ir::Buffer& buffer : nest.params) {
    Parameter parameter;
    parameter.name = buffer->name;
    parameter.type = buffer->type;
    parameter.shape = buffer->shape;
    parameter.strides = ir::strides_of(*buffer);
    parameter.is_output = parameters.size() >= n_inputs;
    parameter.size_bytes = ir::span_elements(*buffer) * ir::size_bytes(buffer->type.scalar);
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

schedule::State bounded(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps) {
  schedule::State state = schedule::replay(task, steps);
  schedule::infer_bounds(state);
  return state;
}

}  // namespace

ir::Program plain_nest(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps,
                       const CompileOptions& options) {
  return lower::nest(bounded(task, steps), {options.pack_constants, options.strides});
}

ir::Program optimised_loops(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps,
                            const target::Target& target, const CompileOptions& options) {
  return lower::optimise(plain_nest(task, steps, options), target);
}

Kernel compile(const std::shared_ptr<const task::Task>& task, const schedule::Steps& steps,
               const target::Target& target, const CompileOptions& options) {
  const schedule::State state = bounded(task, steps);
  const ir::Program nest = lower::nest(state, {options.pack_constants, options.strides});
  const ir::Program program = lower::optimise(nest, target);
  Kernel kernel =
      options.backend == Backend::C ? build_c(program, target) : build_llvm(program, target);
  kernel.name = task->name;
  kernel.parameters = parameters_of(nest, *task);
  const std::vector<int> placeholders = task->placeholders();
  for (std::size_t i = 0; options.pack_constants && i < placeholders.size(); ++i) {
    kernel.parameters[i].packed = schedule::packed_layout(state, placeholders[i]);
    kernel.parameters[i].original_shape =
        task->ops[static_cast<std::size_t>(placeholders[i])].output()->shape;
  }
  return kernel;
}

}  // namespace hone::codegen
