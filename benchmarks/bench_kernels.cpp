// hone's kernels against oneDNN's, layer by layer: one JSON line a layer, then the suite's figures.
#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "benchmarks/report.h"
#include "benchmarks/tuned.h"
#include "codegen/peak.h"

namespace hone::bench {
namespace {

struct Options {
  std::string suite = "gemm", json, layer;
  SweepOptions sweep;
  int rounds = 21;
  bool tuned = false;  // schedules of the tuner instead of a sweep
};

// Seconds of calls in one timed sample: enough that the share of the last-level cache settles again.
constexpr double kSample = 5e-3;
constexpr double kDisturbed = 0.95;  // a peer below this share of its known speed marks the run
constexpr double kTolerance = 1e-4;  // of the largest output; sums of some thousand products

// The peer's samples: from this process, or from another one that sleeps while hone runs.
class PeerTimer {
 public:
  virtual ~PeerTimer() = default;
  virtual std::size_t variants() const = 0;
  virtual double sample_of(std::size_t variant) = 0;
  virtual void let_sleep() const {}  // returns when whoever ran last has no thread awake
};

// The calls before the sample wake threads that fell asleep.
double warm_sample(const std::function<void()>& call, int& calls) {
  for (int i = 0; i <= calls / 4; ++i) call();
  return sample(call, kSample, calls);
}

class LocalPeer : public PeerTimer {
 public:
  explicit LocalPeer(const Layer& layer) {
    for (const auto& make : layer.peers) peers_.push_back(make()), calls_.push_back(1);
  }
  std::size_t variants() const override { return peers_.size(); }
  double sample_of(std::size_t variant) override {
    return warm_sample([&] { peers_[variant]->run(); }, calls_[variant]);
  }

 private:
  std::vector<std::unique_ptr<Peer>> peers_;
  std::vector<int> calls_;
};

// A process of its own: two thread pools awake in one process disturb each other.
class RemotePeer : public PeerTimer {
 public:
  RemotePeer(const Layer& layer, int threads) : variants_(layer.peers.size()) {
    int ends[2];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no socket pair for the peer process");
    child_ = fork();
    check(child_ >= 0, "no process for the peer");
    if (child_ == 0) {
      close(ends[0]);
      set_peer_threads(threads);
      serve(LocalPeer(layer), ends[1]);
    }
    close(ends[1]);
    socket_ = ends[0];
  }
  ~RemotePeer() override {
    shutdown(socket_, SHUT_RDWR);  // closing is not enough: later peer processes have inherited it
    close(socket_);
    waitpid(child_, nullptr, 0);
  }
  RemotePeer(const RemotePeer&) = delete;
  RemotePeer& operator=(const RemotePeer&) = delete;

  std::size_t variants() const override { return variants_; }
  // libgomp's threads stay awake for some milliseconds after their work.
  void let_sleep() const override { usleep(8000); }
  double sample_of(std::size_t variant) override {
    double seconds = 0;
    check(write(socket_, &variant, sizeof variant) == sizeof variant &&
              read(socket_, &seconds, sizeof seconds) == sizeof seconds,
          "the peer process is gone");
    return seconds;
  }

 private:
  [[noreturn]] static void serve(LocalPeer peer, int socket) {
    std::size_t variant = 0;
    while (read(socket, &variant, sizeof variant) == sizeof variant) {
      const double seconds = peer.sample_of(variant);
      if (write(socket, &seconds, sizeof seconds) != sizeof seconds) break;
    }
    _exit(0);
  }

  std::size_t variants_;
  pid_t child_ = -1;
  int socket_ = -1;
};

struct Timing {
  double hone_s, peer_s;
};

// Interleaved samples of both; the peer's figure is that of its faster variant.
Timing compare(Runnable& kernel, PeerTimer& peer, int rounds) {
  std::vector<double> own;
  std::vector<std::vector<double>> theirs(peer.variants());
  int calls = 1;
  const auto run = [&] { kernel.run(); };
  sample(run, kSample, calls);
  for (std::size_t v = 0; v < peer.variants(); ++v) peer.sample_of(v);
  for (int i = 0; i < rounds; ++i) {
    peer.let_sleep();
    own.push_back(warm_sample(run, calls));
    peer.let_sleep();
    for (std::size_t v = 0; v < peer.variants(); ++v) theirs[v].push_back(peer.sample_of(v));
    usleep(200);  // a real-time process that never sleeps is throttled
  }
  double best = 1e30;
  for (const auto& samples : theirs) best = std::min(best, percentile(samples, 0.1));
  return {percentile(own, 0.1), best};
}

// Real-time priority keeps other processes out of the samples; without it the run only says so.
bool take_priority() {
  const sched_param parameters{10};
  return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

// The tuner's threads inherit the priority, and would keep each other from running.
void give_priority_back() {
  const sched_param none{0};
  sched_setscheduler(0, SCHED_OTHER, &none);
}

SweepResult find_best(const Layer& layer, const target::Target& target, runtime::Pool& pool,
                      const Options& options) {
  if (!options.tuned) return sweep(layer, target, pool, options.sweep);
  give_priority_back();
  SweepResult best = tuned(layer, target, pool, options.sweep);
  take_priority();
  return best;
}

std::string json_line(const nlohmann::ordered_json& object) { return object.dump(); }

int run(const Options& options) {
  constexpr int kMaxSweep = 100;  // that schedules come cheap is part of the sweep's claim
  if (!options.tuned && options.sweep.trials > kMaxSweep)
    throw UserError(fmt::format("a sweep has at most {} candidates", kMaxSweep), "--tuned takes more");
  const target::Target target = target::host();
  const bool has_priority = take_priority();
  Report report(options.json);
  const int threads = options.sweep.threads;
  std::vector<Layer> layers = suite(options.suite);
  std::vector<std::unique_ptr<PeerTimer>> peers;
  set_peer_threads(threads);
  for (const Layer& layer : layers) {  // forked before this process has threads
    if (threads > 1)
      peers.push_back(std::make_unique<RemotePeer>(layer, threads));
    else
      peers.push_back(nullptr);
  }
  std::vector<int> cpus;
  for (int i = 0; i < threads; ++i) cpus.push_back(i);
  runtime::Pool pool({threads, cpus});
  const double peak = codegen::measured_peak_gflops(target, threads);
  std::vector<double> ratios, build_ms;
  bool disturbed = false, wrong = false;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    if (!options.layer.empty() && layer.name != options.layer) continue;
    const SweepResult best = find_best(layer, target, pool, options);
    build_ms.insert(build_ms.end(), best.build_ms.begin(), best.build_ms.end());
    Runnable kernel(best.kernel, pool);
    if (!peers[i]) peers[i] = std::make_unique<LocalPeer>(layer);
    const Timing timing = compare(kernel, *peers[i], options.rounds);
    peers[i].reset();
    const double gflops = layer.flop / timing.hone_s * 1e-9;
    const double peer_gflops = layer.flop / timing.peer_s * 1e-9;
    const bool slow_peer = peer_gflops < kDisturbed * layer.peer_gflops * threads;
    disturbed |= slow_peer;
    wrong |= !(best.error < kTolerance);
    ratios.push_back(timing.peer_s / timing.hone_s);
    report.line(json_line({{"name", layer.name},
                           {"hone_us", timing.hone_s * 1e6},
                           {"peer_us", timing.peer_s * 1e6},
                           {"ratio", ratios.back()},
                           {"gflops", gflops},
                           {"peak_share", gflops / peak},
                           {"peer_gflops", peer_gflops},
                           {"op", best.op},
                           {"error", best.error},
                           {"failed", best.failed},
                           {"disturbed", slow_peer}}));
  }
  double log_sum = 0;
  for (const double ratio : ratios) log_sum += std::log(ratio);
  double mean_build = 0;
  for (const double ms : build_ms) mean_build += ms / static_cast<double>(build_ms.size());
  report.line(json_line({{"geomean", std::exp(log_sum / static_cast<double>(ratios.size()))},
                         {"min", *std::min_element(ratios.begin(), ratios.end())},
                         {"suite", options.suite},
                         {"threads", threads},
                         {"peak_gflops", peak},
                         {"build_ms_mean", mean_build},
                         {"build_ms_p95", percentile(build_ms, 0.95)},
                         {"trials", options.sweep.trials},
                         {"tuned", options.tuned},
                         {"scorer", options.sweep.scorer},
                         {"real_time", has_priority},
                         {"disturbed", disturbed}}));
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app{"hone's kernels against oneDNN's, layer by layer"};
  app.add_option("--suite", options.suite, "gemm, resnet50, mobilenet_v2, winograd or bert");
  app.add_option("--threads", options.sweep.threads, "1 or more")->check(CLI::Range(1, 1024));
  app.add_flag("--tuned", options.tuned, "find schedules with the tuner instead of a random sweep");
  app.add_option(
         "--scorer", options.sweep.scorer,
         "with --tuned: a trained scorer that guides it, as data/default.scorer guides `hone tune`")
      ->check(CLI::ExistingFile)
      ->needs("--tuned");
  const auto* trials = app.add_option("--trials", options.sweep.trials,
                                      "candidates a layer (default 64, at most 100); with --tuned of "
                                      "each layout (default 200)")
                           ->check(CLI::Range(1, 100000));
  app.add_option("--rounds", options.rounds, "interleaved samples")->check(CLI::Range(3, 1000));
  app.add_option("--seed", options.sweep.seed, "of the sweep");
  app.add_option("--layer", options.layer, "only this layer");
  app.add_option("--json", options.json, "also write the lines to this file");
  CLI11_PARSE(app, argc, argv);
  if (options.tuned && trials->empty()) options.sweep.trials = 200;
  return hone::bench::run_program([&] { return hone::bench::run(options); });
}
