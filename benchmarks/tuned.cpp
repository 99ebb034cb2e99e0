#include "benchmarks/tuned.h"

#include "benchmarks/tuning.h"
#include "codegen/compile.h"
#include "task/catalogue.h"

namespace hone::bench {

SweepResult tuned(const Layer& layer, const target::Target& target, runtime::Pool& pool,
                  const SweepOptions& options) {
  std::vector<Finalist> finalists;
  std::vector<double> build_ms;
  int failed = 0;
  for (std::size_t op = 0; op < layer.ops.size(); ++op) {
    const auto task = std::make_shared<const task::Task>(task::from_op(layer.ops[op]));
    tune::Options run;
    run.op = layer.ops[op];
    run.trials = options.trials;
    run.threads = options.threads;
    run.seed = options.seed;
    run.scorer_file = options.scorer;
    const tune::Summary summary = tune_once(task, run);
    failed += summary.progress.failed();
    for (const tune::Trial& trial : summary.trials) build_ms.push_back(trial.measurement.build_s * 1e3);
    schedule::Steps steps = winner(summary);
    codegen::Kernel kernel = codegen::compile(task, steps, target);
    finalists.push_back({op, std::move(steps), std::move(kernel)});
  }
  SweepResult best = best_of(finalists, layer, target, pool);
  best.build_ms = std::move(build_ms);
  best.failed = failed;
  return best;
}

}  // namespace hone::bench
