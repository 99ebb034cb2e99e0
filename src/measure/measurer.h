// Builds and measures the candidates of a task: the whole way from schedules to times.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "measure/builder.h"
#include "measure/measurement.h"
#include "measure/worker_process.h"
#include "task/task.h"
#include "worker/protocol.h"

namespace hone::measure {

struct Options {
  int threads = 1;        // a kernel runs on
  bool real_time = true;  // ask for SCHED_FIFO
  bool check = true;      // every answer against samples and reference
  double build_limit_s = 15;
  double run_limit_s = 10;
  worker::Timing timing;  // its best_s is kept up to date here
  std::string worker;     // path of hone-worker; empty: where it is always found
};

// A task's memory and what its kernels ought to answer.
struct TaskData {
  std::vector<worker::BufferSpec> buffers;
  std::uint64_t seed = 1;
  std::vector<worker::Sample> samples;  // elements of outputs, from worker/inputs.h's inputs
  bool is_sampled_whole = false;        // the samples are all elements of all outputs
  std::vector<double> tolerances;       // one a buffer
  // Trusted; every element is compared with its answer. Not needed where all of them are sampled: those
  // are exact, and of a sum of millions a kernel without any schedule is not.
  std::optional<codegen::Kernel> reference;
};

// The parameters of a task's kernels: placeholders in stage order, then outputs. Layout-free
// placeholders are constants.
std::vector<worker::BufferSpec> buffers_of(const task::Task& task);

struct CandidateBuilt {
  std::size_t candidate;
  Status status;
  double seconds;
};
struct CandidateMeasured {
  std::size_t candidate;
  const Measurement& measurement;
};
struct WorkerLost {
  std::string reason;
};
using Event = std::variant<CandidateBuilt, CandidateMeasured, WorkerLost>;
using Listener = std::function<void(const Event&)>;  // called on the thread that measures

class Measurer {
 public:
  explicit Measurer(Options options);

  // Switches to a task; the best time so far is forgotten.
  void begin(const TaskData& task);

  // Candidates that are to be measured soon, for any thread to announce. Where that disturbs no kernel
  // that is being timed they are built from now on.
  using Announced = std::unique_ptr<Builder::Batch>;
  Announced announce(std::vector<Build> candidates);

  // One result a candidate, in their order. Nothing that a candidate does ends it; UserError when
  // there is no worker to be had. Kernels of one thread are run while others are built on the other
  // cores; those of several threads have the machine to themselves.
  std::vector<Measurement> measure(const Announced& batch, const Listener& listener = {});
  std::vector<Measurement> measure(std::vector<Build> candidates, const Listener& listener = {}) {
    return measure(announce(std::move(candidates)), listener);
  }

  // One kernel, checked and timed in another way than the options say; the best time is not touched.
  Measurement time(const codegen::Kernel& kernel, const worker::Timing& timing);
  const worker::Timing& timing() const { return options_.timing; }

  // Whether a kernel that is being timed leaves cores to others, and which those are.
  bool shares_machine() const { return options_.threads == 1 && !free_cpus_.empty(); }
  const std::vector<int>& free_cpus() const { return free_cpus_; }

  double best_s() const { return options_.timing.best_s; }  // 0: none yet
  int workers_lost() const { return worker_.losses(); }

 private:
  Measurement measure_one(Built built);

  Options options_;
  std::vector<int> cpus_, free_cpus_;  // where kernels run, and the others
  WorkerProcess worker_;
  Builder builder_;
};

}  // namespace hone::measure
