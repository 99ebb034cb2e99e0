#include "tune/tune.h"

#include <fmt/format.h>

#include "codegen/version.h"
#include "space/tiling.h"
#include "task/analysis.h"
#include "tune/live_meter.h"
#include "tune/random_proposer.h"
#include "tune/session.h"

namespace hone::tune {
namespace {

schedule::Steps untuned(const task::Task& task, const target::Target& target) {
  const auto roles = space::structure(task, task::analyse(task));
  return space::steps_for(task, roles, space::analytic_choice(task, roles, target, target.cores));
}

}  // namespace

std::string machine_name(const target::Target& target) {
  return fmt::format("{}, vectors of {} bits, {} thread{}", target.cpu, target.vector_bits,
                     target.cores, target.cores == 1 ? "" : "s");
}

std::string compiler_name() {
  return fmt::format("hone {}, {}", HONE_VERSION, codegen::compiler_version());
}

Parts make_parts(std::shared_ptr<const task::Task> task, const Options& options) {
  Parts parts;
  parts.task = task;
  parts.target = target::host();
  parts.target.cores = options.threads;
  parts.baseline = untuned(*task, parts.target);
  parts.proposer = std::make_unique<RandomProposer>(task, parts.target, options.seed);
  measure::Options measuring;
  measuring.threads = options.threads;
  parts.meter = std::make_unique<LiveMeter>(task, parts.target, measuring);
  return parts;
}

Summary run(Parts parts, const Options& options, const Listener& listener,
            const std::atomic<bool>& stop) {
  return Session(std::move(parts), options, listener, stop).run();
}

}  // namespace hone::tune
