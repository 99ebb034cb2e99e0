#include "artefact/from_graph.h"

#include <fmt/format.h>

#include "artefact/task_program.h"
#include "base/affinity.h"
#include "base/parallel.h"
#include "codegen/compile.h"
#include "codegen/version.h"
#include "runtime/checksum.h"
#include "space/tiling.h"

namespace hone::artefact {
namespace {

using Schedules = std::vector<std::optional<TunedSchedule>>;  // one a task; none: the analytic one

struct Machine {
  const target::Target& target;
  int threads;
  bool keep_loops;
};

KernelUse kernel_of(const PlacedTask& placed, const std::optional<TunedSchedule>& tuned,
                    const Machine& machine) {
  const std::shared_ptr<const task::Task>& task = placed.task;
  const schedule::Steps steps =
      tuned ? tuned->steps : space::analytic_steps(*task, machine.target, machine.threads);
  const codegen::CompileOptions options{.pack_constants = !tuned || tuned->pack_constants,
                                        .strides = placed.strides};
  KernelUse use{codegen::compile(task, steps, machine.target, options), tuned ? tuned->record : ""};
  if (machine.keep_loops) use.loops = codegen::optimised_loops(task, steps, machine.target, options);
  return use;
}

Variant variant_of(const TaskProgram& made, const Schedules& tuned, const Machine& machine) {
  Variant variant{machine.target, machine.threads, std::vector<KernelUse>(made.tasks.size()),
                  made.program};
  parallel_for(made.tasks.size(), static_cast<int>(allowed_cpus().size()), [&](std::size_t i) {
    variant.kernels[i] = kernel_of(made.tasks[i], tuned[i], machine);
  });
  return variant;
}

std::string weights_hash(const graph::Graph& graph) {
  std::vector<std::uint64_t> sums;
  for (const graph::Value& value : graph.values) {
    if (value.constant) sums.push_back(runtime::checksum(value.constant->bytes()));
  }
  return fmt::format("{:016x}", runtime::checksum(std::as_bytes(std::span(sums))));
}

}  // namespace

Artefact from_graph(const graph::Graph& graph, const FromGraphOptions& options) {
  const TaskProgram made = task_program(graph);
  Schedules tuned(made.tasks.size());
  for (std::size_t i = 0; i < tuned.size() && options.tuned; ++i)
    tuned[i] = options.tuned(*made.tasks[i].task);
  std::vector<Variant> variants = {
      variant_of(made, tuned, {options.target, options.threads, options.keep_loops})};
  for (const target::Target& target : options.others)
    variants.push_back(
        variant_of(made, Schedules(made.tasks.size()), {target, options.threads, false}));
  return {.model = graph.name,
          .weights_hash = weights_hash(graph),
          .compiler = codegen::compiler_version(),
          .variants = std::move(variants)};
}

}  // namespace hone::artefact
