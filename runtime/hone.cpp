// The C API: plain functions over Model.
#include "runtime/hone.h"

#include <stdlib.h>

#include <new>

#include "runtime/error.h"
#include "runtime/model.h"
#include "runtime/shared_pool.h"

using hone::runtime::fail;
using hone::runtime::Operand;
using hone::runtime::Port;
using hone::runtime::Program;
using hone::runtime::StepEntry;
using hone::runtime::StepKind;

struct hone_model : hone::runtime::Model {};

namespace {

hone_status describe(const Program& program, std::span<const Port> ports, std::size_t index,
                     hone_tensor* tensor) {
  if (index >= ports.size()) {
    return fail(HONE_WRONG_USE, "hone_describe tells how many there are",
                "there is no tensor %zu of %zu", index, ports.size());
  }
  const Port& port = ports[index];
  const std::span<const std::int64_t> dims = program.dims(port);
  *tensor = {program.text(port.name), static_cast<hone_type>(port.type), dims.size(), dims.data(),
             size_bytes(program, port)};
  return HONE_OK;
}

const char* kernel_name(const Program& program, const StepEntry& step) {
  switch (step.kind) {
    case StepKind::Kernel:
      return program.text(program.kernels()[step.kernel].name);
    case StepKind::Copy:
      return "copy";
    case StepKind::TopK:
      return "topk";
    case StepKind::Loop:
      return "loop";
  }
  return "";
}

}  // namespace

hone_status hone_open(const char* path, hone_model** model) {
  if (path == nullptr || model == nullptr)
    return fail(HONE_WRONG_USE, "", "hone_open got a null pointer");
  *model = nullptr;
  void* memory = malloc(sizeof(hone_model));
  if (memory == nullptr) return fail(HONE_NO_MEMORY, "", "there is not enough memory");
  auto* opened = new (memory) hone_model;
  const hone_status status = opened->open(path);
  if (status == HONE_OK) {
    *model = opened;
  } else {
    hone_close(opened);
  }
  return status;
}

void hone_close(hone_model* model) {
  if (model == nullptr) return;
  model->~hone_model();
  free(model);
}

hone_description hone_describe(const hone_model* model) {
  const Program& program = model->program();
  return {program.inputs().size(),
          program.outputs().size(),
          program.steps().size(),
          static_cast<int>(program.header().tuned_threads),
          program.text(program.header().target),
          reinterpret_cast<const char*>(model->manifest().data()),
          program.header().arena_bytes,
          model->weight_bytes()};
}

hone_status hone_input(const hone_model* model, size_t index, hone_tensor* tensor) {
  return describe(model->program(), model->program().inputs(), index, tensor);
}

hone_status hone_output(const hone_model* model, size_t index, hone_tensor* tensor) {
  return describe(model->program(), model->program().outputs(), index, tensor);
}

hone_status hone_step_at(const hone_model* model, size_t index, hone_step* step) {
  const Program& program = model->program();
  if (index >= program.steps().size()) {
    return fail(HONE_WRONG_USE, "hone_describe tells how many there are", "there is no step %zu of %zu",
                index, program.steps().size());
  }
  const StepEntry& entry = program.steps()[index];
  size_t bytes = 0;
  for (const Operand& operand : program.operands(entry)) bytes += operand.size_bytes;
  *step = {program.text(entry.label), kernel_name(program, entry), entry.flop, bytes};
  return HONE_OK;
}

hone_status hone_run(hone_model* model, const hone_in* inputs, size_t input_count,
                     const hone_out* outputs, size_t output_count) {
  return model->run({inputs, input_count}, {outputs, output_count}, nullptr);
}

hone_status hone_profile(hone_model* model, const hone_in* inputs, size_t input_count,
                         const hone_out* outputs, size_t output_count, int64_t* step_ns) {
  return model->run({inputs, input_count}, {outputs, output_count}, step_ns);
}

hone_status hone_set_threads(int threads) { return hone::runtime::set_pool_threads(threads); }

int hone_threads() { return hone::runtime::pool_threads(); }
