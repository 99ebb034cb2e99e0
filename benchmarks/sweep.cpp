#include "benchmarks/sweep.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/error.h"
#include "benchmarks/candidates.h"
#include "codegen/compile.h"
#include "space/tiling.h"
#include "task/catalogue.h"

namespace hone::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Three calls at least; a candidate far from the best so far is given up.
double quick_time(Runnable& candidate, double best) {
  candidate.run();
  double least = 1e30, spent = 0;
  for (int i = 0; i < 3 || (spent < 3e-3 && i < 64); ++i) {
    const auto start = Clock::now();
    candidate.run();
    const double took = since(start);
    least = std::min(least, took);
    spent += took;
    if (i >= 1 && least > 1.3 * best) break;
  }
  return least;
}

struct Found {
  double seconds;
  Finalist finalist;
};

}  // namespace

double percentile(std::vector<double> values, double share) {
  check(!values.empty(), "a percentile of something");
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double sample(const std::function<void()>& call, double sample_s, int& calls) {
  while (true) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    const double took = since(start);
    if (took >= sample_s || calls >= (1 << 20)) return took / calls;
    calls = std::max(calls + 1,
                     static_cast<int>(calls * std::min(10.0, 1.2 * sample_s / std::max(took, 1e-9))));
  }
}

double time_call(const std::function<void()>& call, int rounds, double sample_s) {
  int calls = 1;
  sample(call, sample_s, calls);
  std::vector<double> samples;
  for (int i = 0; i < rounds; ++i) samples.push_back(sample(call, sample_s, calls));
  return percentile(samples, 0.1);
}

SweepResult sweep(const Layer& layer, const target::Target& target, runtime::Pool& pool,
                  const SweepOptions& options) {
  std::vector<std::shared_ptr<const task::Task>> tasks;
  std::vector<std::vector<schedule::Steps>> candidates;  // of each task
  const int each = options.trials / static_cast<int>(layer.ops.size());
  for (const std::string& op : layer.ops) {
    const auto task = std::make_shared<const task::Task>(task::from_op(op));
    const auto roles = space::structure(*task, task::analyse(*task));
    candidates.push_back(random_candidates(*task, each - 1, options.threads, target, options.seed));
    candidates.back().insert(
        candidates.back().begin(),
        space::steps_for(*task, roles, space::analytic_choice(*task, roles, target, options.threads)));
    tasks.push_back(task);
  }
  SweepResult result;
  std::vector<Found> found;
  double best = 1e30;
  for (std::size_t trial = 0; trial < static_cast<std::size_t>(options.trials); ++trial) {
    const std::size_t which = trial % tasks.size(), number = trial / tasks.size();
    if (number >= candidates[which].size()) continue;
    schedule::Steps& steps = candidates[which][number];
    const auto start = Clock::now();
    codegen::Kernel kernel;
    try {
      kernel = codegen::compile(tasks[which], steps, target);
    } catch (const UserError&) {
      ++result.failed;
      continue;
    }
    result.build_ms.push_back(1e3 * since(start));
    Runnable candidate(kernel, pool);
    const double seconds = quick_time(candidate, best);
    best = std::min(best, seconds);
    found.push_back({seconds, {which, std::move(steps), std::move(kernel)}});
  }
  check(!found.empty(), "no candidate of the layer compiled");
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.seconds < b.seconds; });
  found.resize(std::min(found.size(), static_cast<std::size_t>(options.finalists)));
  std::vector<Finalist> finalists;
  for (Found& one : found) finalists.push_back(std::move(one.finalist));
  SweepResult winner = best_of(finalists, layer, target, pool);
  winner.build_ms = std::move(result.build_ms);
  winner.failed = result.failed;
  return winner;
}

SweepResult best_of(const std::vector<Finalist>& finalists, const Layer& layer,
                    const target::Target& target, runtime::Pool& pool) {
  check(!finalists.empty(), "a winner is one of some");
  SweepResult best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (const Finalist& one : finalists) {
    Runnable candidate(one.kernel, pool);
    const double seconds = time_call([&] { candidate.run(); }, 11, 1e-3);
    if (seconds >= best.seconds) continue;
    best.seconds = seconds;
    best.op = layer.ops[one.op];
    best.steps = one.steps;
    best.kernel = one.kernel;
  }
  Runnable checked(best.kernel, pool);
  checked.run();
  const auto task = std::make_shared<const task::Task>(task::from_op(best.op));
  Runnable plain(codegen::compile(task, {}, target, {codegen::Backend::Llvm, false}), pool);
  plain.run();
  best.error = relative_error(checked, plain);
  return best;
}

}  // namespace hone::bench
