#include "measure/worker_process.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/clock.h"
#include "base/error.h"
#include "base/shared_memory.h"
#include "measure/no_worker.h"

namespace hone::measure {
namespace {

namespace fs = std::filesystem;

constexpr double kPrepareLimitS = 60;
constexpr double kReferenceLimitS = 60;
// The worker watches its own time and has this much longer to say so before it is killed.
constexpr double kGraceS = 1;

}  // namespace

worker::Code code_of(const codegen::Kernel& kernel) {
  worker::Code code;
  code.size_bytes = kernel.image.size();
  code.entry = kernel.entry;
  code.scratch_bytes = kernel.scratch_bytes;
  code.thread_scratch_bytes = kernel.thread_scratch_bytes;
  for (const codegen::Parameter& parameter : kernel.parameters) {
    worker::Packing packing;
    if (parameter.packed) {
      for (const schedule::PackedDim& dim : parameter.packed->dims)
        packing.dims.push_back({dim.axis, dim.extent, dim.stride});
    }
    code.packing.push_back(std::move(packing));
  }
  return code;
}

std::string find_worker() {
  constexpr const char* kName = "hone-worker";
  if (const char* set = std::getenv("HONE_WORKER")) return set;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here.parent_path()}) {
    if (fs::exists(folder / kName)) return folder / kName;
  }
  throw NoWorker(fmt::format("{} is neither in {} nor in the folder above", kName, here.string()),
                 "build the whole project, or set HONE_WORKER to its path");
}

void WorkerProcess::prepare(worker::Prepare task, const std::optional<codegen::Kernel>& reference) {
  task_ = std::move(task);
  reference_ = reference;
  prepared_ = false;
  ensure_running();
}

void WorkerProcess::ensure_running() {
  if (prepared_) return;
  const bool fresh = !process_.running();
  if (fresh) {
    worker::ChannelPair sockets = worker::connected_sockets();
    try {
      process_ = Process::start(program_, {}, sockets.theirs);
    } catch (const UserError& error) {
      throw NoWorker(error.what(), error.hint());
    }
    channel_ = worker::Channel(std::move(sockets.ours));
  }
  channel_.send(task_);
  const worker::Packet packet = channel_.receive(kPrepareLimitS);
  if (packet.arrival != worker::Arrival::Message) {
    lose("died between two tasks: " + process_.kill());
    if (!fresh) return ensure_running();
    throw NoWorker(fmt::format("{} does not answer", program_), "run it by hand to see why");
  }
  const auto ready = packet.as<worker::Ready>();
  if (!ready.failure.empty()) throw UserError(ready.failure, "measure a smaller task, or free memory");
  if (ready.threads < task_.threads) {
    throw UserError(fmt::format("the system gives {} of {} threads", ready.threads, task_.threads),
                    "measure with fewer threads, or raise the limit on processes");
  }
  real_time_ = ready.real_time;
  if (reference_) send_reference();
  prepared_ = true;
}

void WorkerProcess::send_reference() {
  worker::Reference request;
  request.limit_s = kReferenceLimitS;
  send(std::move(request), *reference_);
  const worker::Outcome outcome = await_outcome(kReferenceLimitS + kGraceS);
  if (outcome.status != Status::Ok) fail("the reference kernel failed: " + outcome.message);
}

template <class Request>
bool WorkerProcess::send(Request request, const codegen::Kernel& kernel) {
  request.code = code_of(kernel);
  if (channel_.passes_descriptors()) return channel_.send(request, share(kernel.image));
  request.code.bytes = kernel.image;
  return channel_.send(request);
}

worker::Outcome WorkerProcess::await_outcome(double limit_s) {
  const worker::Packet packet = channel_.receive(limit_s);
  worker::Outcome outcome;
  switch (packet.arrival) {
    case worker::Arrival::Message:
      outcome = packet.as<worker::Outcome>();
      if (outcome.ends) lose(outcome.message);
      break;
    case worker::Arrival::Closed:
      outcome.status = Status::Runtime;
      outcome.message = "the worker died: " + process_.kill();
      lose(outcome.message);
      break;
    case worker::Arrival::TimedOut:
      outcome.status = Status::RunTimeout;
      outcome.message = fmt::format("no answer after {} s", limit_s);
      lose(outcome.message);
      break;
  }
  return outcome;
}

void WorkerProcess::lose(const std::string& reason) {
  process_.kill();
  channel_.close();
  prepared_ = false;
  ++losses_;
  loss_reason_ = reason;
}

Measurement WorkerProcess::run(const codegen::Kernel& kernel, const worker::Timing& timing, bool check,
                               double limit_s) {
  const double start = now_s();
  worker::Run request;
  request.timing = timing;
  request.check = check;
  request.limit_s = limit_s;
  ensure_running();
  if (!send(request, kernel)) {  // it died idle: not this kernel's doing
    lose("died between two trials: " + process_.kill());
    ensure_running();
    send(request, kernel);
  }
  worker::Outcome outcome = await_outcome(limit_s + kGraceS);
  Measurement result;
  result.status = outcome.status;
  result.seconds = std::move(outcome.seconds);
  result.noise = outcome.noise;
  result.checked = outcome.checked;
  result.real_time = real_time_;
  result.message = std::move(outcome.message);
  result.run_s = now_s() - start;
  return result;
}

}  // namespace hone::measure
