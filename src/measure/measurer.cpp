#include "measure/measurer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/affinity.h"
#include "base/error.h"
#include "schedule/layout.h"

namespace hone::measure {
namespace {

// The last processors: the first ones get the machine's interrupts.
std::vector<int> measuring_cpus(int threads) {
  const std::vector<int> all = allowed_cpus();
  if (threads < 1 || static_cast<std::size_t>(threads) > all.size()) {
    throw UserError(fmt::format("{} threads cannot be measured on {} processors", threads, all.size()));
  }
  return {all.end() - threads, all.end()};
}

std::vector<int> other_cpus(const std::vector<int>& taken) {
  std::vector<int> cpus = allowed_cpus();
  std::erase_if(cpus,
                [&](int cpu) { return std::find(taken.begin(), taken.end(), cpu) != taken.end(); });
  return cpus;
}

int other_builders() { return static_cast<int>(allowed_cpus().size()) - 1; }

worker::BufferSpec spec_of(const ir::BufferNode& buffer, worker::Role role) {
  return {buffer.name, buffer.type.scalar, buffer.shape, ir::span_elements(buffer), role};
}

}  // namespace

std::vector<worker::BufferSpec> buffers_of(const task::Task& task) {
  std::vector<worker::BufferSpec> specs;
  for (const int index : task.placeholders()) {
    const task::Op& op = task.ops[static_cast<std::size_t>(index)];
    specs.push_back(spec_of(*op.output(), schedule::is_layout_free(task, op.name())
                                              ? worker::Role::Constant
                                              : worker::Role::Input));
  }
  for (const int index : task.outputs()) {
    for (const ir::Buffer& output : task.ops[static_cast<std::size_t>(index)].outputs) {
      specs.push_back(spec_of(*output, worker::Role::Output));
    }
  }
  return specs;
}

Measurer::Measurer(Options options)
    : options_(std::move(options)),
      cpus_(measuring_cpus(options_.threads)),
      free_cpus_(other_cpus(cpus_)),
      worker_(options_.worker.empty() ? find_worker() : options_.worker),
      builder_(other_builders(), free_cpus_, options_.build_limit_s) {}

void Measurer::begin(const TaskData& task) {
  worker::Prepare prepare;
  prepare.buffers = task.buffers;
  prepare.seed = task.seed;
  prepare.samples = task.samples;
  prepare.tolerances = task.tolerances;
  prepare.threads = options_.threads;
  prepare.cpus = cpus_;
  prepare.real_time = options_.real_time;
  options_.timing.best_s = 0;
  worker_.prepare(std::move(prepare), task.reference);
}

Measurement Measurer::measure_one(Built built) {
  Measurement result;
  if (built.status == Status::Ok) {
    result = worker_.run(built.kernel, options_.timing, options_.check, options_.run_limit_s);
  } else {
    result.status = built.status;
    result.message = std::move(built.message);
  }
  result.build_s = built.seconds;
  if (result.status == Status::Ok) {
    double& best_s = options_.timing.best_s;
    best_s = best_s == 0 ? result.best_s() : std::min(best_s, result.best_s());
  }
  return result;
}

Measurement Measurer::time(const codegen::Kernel& kernel, const worker::Timing& timing) {
  return worker_.run(kernel, timing, options_.check, options_.run_limit_s);
}

Measurer::Announced Measurer::announce(std::vector<Build> candidates) {
  auto batch = std::make_unique<Builder::Batch>(builder_, std::move(candidates));
  if (options_.threads == 1) batch->allow(batch->size());
  return batch;
}

std::vector<Measurement> Measurer::measure(const Announced& batch, const Listener& listener) {
  const auto tell = [&](const Event& event) {
    if (listener) listener(event);
  };
  const std::size_t count = batch->size();
  const bool together = options_.threads == 1;
  // Four a core, so that cores seldom wait for the last one of a round.
  const std::size_t round = together ? count : 4 * allowed_cpus().size();
  std::vector<Measurement> results;
  results.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!together && i % round == 0) batch->finish(i + round);
    Built built = batch->take(i);
    tell(CandidateBuilt{i, built.status, built.seconds});
    const int losses = worker_.losses();
    results.push_back(measure_one(std::move(built)));
    if (worker_.losses() > losses) tell(WorkerLost{worker_.loss_reason()});
    tell(CandidateMeasured{i, results.back()});
  }
  return results;
}

}  // namespace hone::measure
