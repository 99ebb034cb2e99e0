#include "codegen/peak.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "codegen/kernel.h"
#include "runtime/image.h"

namespace hone::codegen {
namespace {

// Enough independent chains to hide the latency of two FMA units, few enough for 16 registers.
constexpr int kChains = 12;
constexpr int kRounds = 20'000;  // about 0.1 ms
constexpr int kRepeats = 40;     // the best one counts: a shared machine disturbs most of them

// acc[i] = acc[i] * x + y, over and over; the values stay near one.
ir::Program fma_program(int lanes) {
  const ir::Type type{ir::Scalar::F32, lanes};
  const ir::Buffer data = ir::make_buffer("data", ir::kF32, {std::int64_t{2} * lanes});
  const ir::Buffer out = ir::make_buffer("out", ir::kF32, {std::int64_t{kChains} * lanes});
  const ir::Buffer chains = ir::make_buffer("chains", type, {kChains}, ir::Scope::Register);
  const auto vector_at = [&](int i) { return ir::ramp(ir::Expr(i * lanes), 1, lanes); };
  const ir::Expr x = ir::variable("x", type), y = ir::variable("y", type);

  ir::Program program{"peak", {data, out}, {}};
  ir::ProgramWriter writer(program);
  const auto alloc = writer.open(ir::Alloc{chains});
  const auto let_x = writer.open(ir::Let{x, ir::load(data, {vector_at(0)})});
  const auto let_y = writer.open(ir::Let{y, ir::load(data, {vector_at(1)})});
  for (int i = 0; i < kChains; ++i) writer.store(chains, {i}, ir::load(data, {vector_at(0)}));
  const auto loop = writer.open(ir::For{ir::variable("round"), 0, kRounds});
  for (int i = 0; i < kChains; ++i) writer.store(chains, {i}, ir::load(chains, {i}) * x + y);
  writer.close(loop);
  for (int i = 0; i < kChains; ++i) writer.store(out, {vector_at(i)}, ir::load(chains, {i}));
  for (const auto body : {let_y, let_x, alloc}) writer.close(body);
  return program;
}

double measure(const target::Target& target, int threads) {
  const int lanes = target.lanes(32);
  const Kernel kernel = build_llvm(fma_program(lanes), target);
  const runtime::Image image(kernel.image);
  check(!image.empty(), "the system maps code");
  std::vector<double> best_s(static_cast<std::size_t>(threads), 1e9);
  std::barrier start(threads);
  const auto run = [&](int thread) {
    alignas(64) float data[2 * 16] = {}, out[kChains * 16];
    std::fill_n(data, lanes, 0.5f);
    std::fill_n(data + lanes, lanes, 0.5f);
    void* buffers[] = {data, out};
    const hone_call call{buffers, nullptr, nullptr};
    for (int i = 0; i < kRepeats; ++i) {
      start.arrive_and_wait();
      const auto begin = std::chrono::steady_clock::now();
      image.entry(kernel.entry)(&call);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
      double& best = best_s[static_cast<std::size_t>(thread)];
      best = std::min(best, time.count());
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(run, i);
  run(0);
  others.clear();
  double gflops = 0;
  for (const double seconds : best_s) gflops += 2.0 * kChains * kRounds * lanes / seconds * 1e-9;
  return gflops;
}

}  // namespace

double measured_peak_gflops(const target::Target& target, int threads) {
  check(threads >= 1 && target.vector_bits <= 512, "a peak is of some threads and known vectors");
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, double> known;
  const std::lock_guard lock(mutex);
  double& peak = known[{target.cpu + target.features + std::to_string(target.vector_bits), threads}];
  if (peak == 0) peak = measure(target, threads);
  return peak;
}

}  // namespace hone::codegen
