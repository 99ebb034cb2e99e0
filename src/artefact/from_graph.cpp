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

using TaskPtr = std::shared_ptr<const task::Task>;

KernelUse kernel_of(const TaskPtr& task, const std::optional<TunedSchedule>& tuned,
                    const FromGraphOptions& options) {
  if (tuned) {
    return {
        codegen::compile(task, tuned->steps, options.target, {.pack_constants = tuned->pack_constants}),
        tuned->record};
  }
  const schedule::Steps steps = space::analytic_steps(*task, options.target, options.threads);
  return {codegen::compile(task, steps, options.target), ""};
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
  TaskProgram made = task_program(graph);
  std::vector<std::optional<TunedSchedule>> tuned(made.tasks.size());
  for (std::size_t i = 0; i < tuned.size() && options.tuned; ++i)
    tuned[i] = options.tuned(*made.tasks[i]);
  Variant variant{options.target, options.threads, std::vector<KernelUse>(made.tasks.size()),
                  std::move(made.program)};
  parallel_for(made.tasks.size(), static_cast<int>(allowed_cpus().size()), [&](std::size_t i) {
    variant.kernels[i] = kernel_of(made.tasks[i], tuned[i], options);
  });
  return {.model = graph.name,
          .weights_hash = weights_hash(graph),
          .compiler = codegen::compiler_version(),
          .variants = {std::move(variant)}};
}

}  // namespace hone::artefact
