#include "runtime/context.h"

#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <new>

#include "runtime/copy.h"
#include "runtime/topk.h"

namespace hone::runtime {
namespace {

std::int64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

std::size_t most_operands(const Program& program) {
  std::size_t most = 1;
  for (const StepEntry& step : program.steps()) {
    most = std::max<std::size_t>(most, step.operand_count);
  }
  return most;
}

}  // namespace

Context* Context::make(const Code& code) {
  void* memory = malloc(sizeof(Context));
  if (memory == nullptr) return nullptr;
  auto* context = new (memory) Context(code);
  const Program& program = code.program;
  const std::size_t regions =
      static_cast<std::size_t>(Region::FirstPort) + program.inputs().size() + program.outputs().size();
  context->arena_ = AlignedBuffer(program.header().arena_bytes);
  context->bases_ = static_cast<std::byte**>(calloc(regions, sizeof(std::byte*)));
  context->arguments_ = static_cast<void**>(calloc(most_operands(program), sizeof(void*)));
  if (context->arena_.data() == nullptr || context->bases_ == nullptr ||
      context->arguments_ == nullptr) {
    destroy(context);
    return nullptr;
  }
  context->bases_[static_cast<std::size_t>(Region::Arena)] = context->arena_.data();
  context->bases_[static_cast<std::size_t>(Region::Weights)] = const_cast<std::byte*>(code.weights);
  return context;
}

void Context::destroy(Context* context) {
  free(static_cast<void*>(context->bases_));
  free(static_cast<void*>(context->arguments_));
  context->~Context();
  free(context);
}

bool Context::prepare(std::int64_t threads) {
  std::size_t bytes = 1;
  for (const KernelEntry& kernel : code_.program.kernels()) {
    bytes = std::max(
        bytes, kernel.scratch_bytes + static_cast<std::size_t>(threads) * kernel.thread_scratch_bytes);
  }
  if (scratch_.size_bytes() < bytes) scratch_ = AlignedBuffer(bytes);
  return scratch_.data() != nullptr;
}

void Context::run(const hone_table& table, std::int64_t* step_ns) {
  const std::span<const StepEntry> steps = code_.program.steps();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind != StepKind::Loop) {
      time_step(i, 0, table, step_ns);
      continue;
    }
    const auto body = static_cast<std::size_t>(steps[i].loop.steps);
    for (std::int64_t iteration = 0; iteration < steps[i].loop.trips; ++iteration) {
      for (std::size_t k = 1; k <= body; ++k) time_step(i + k, iteration, table, step_ns);
    }
    i += body;
  }
}

void Context::time_step(std::size_t step, std::int64_t iteration, const hone_table& table,
                        std::int64_t* step_ns) {
  const std::int64_t begin = step_ns == nullptr ? 0 : now_ns();
  run_step(code_.program.steps()[step], iteration, table);
  if (step_ns != nullptr) step_ns[step] += now_ns() - begin;
}

void Context::run_step(const StepEntry& step, std::int64_t iteration, const hone_table& table) {
  const std::span<const Operand> operands = code_.program.operands(step);
  switch (step.kind) {
    case StepKind::Kernel: {
      for (std::size_t i = 0; i < operands.size(); ++i) arguments_[i] = address(operands[i], iteration);
      const KernelEntry& kernel = code_.program.kernels()[step.kernel];
      auto* entry = const_cast<std::byte*>(code_.images) + kernel.image_offset + kernel.entry;
      const hone_call call{arguments_, scratch_.data(), &table};
      reinterpret_cast<hone_entry>(entry)(&call);
      return;
    }
    case StepKind::Copy:
      return copy_rows(step.copy, address(operands[0], iteration), address(operands[1], iteration),
                       table);
    case StepKind::TopK:
      return top_k(step.topk, address(operands[0], iteration), address(operands[1], iteration),
                   address(operands[2], iteration));
    case StepKind::Loop:
      return;  // run by its steps
  }
}

}  // namespace hone::runtime
