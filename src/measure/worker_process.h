// A worker that is always there: started when it is first needed, replaced when it has died.
#pragma once
#include <optional>
#include <string>

#include "base/process.h"
#include "codegen/kernel.h"
#include "measure/measurement.h"
#include "worker/channel.h"
#include "worker/protocol.h"

namespace hone::measure {

// The program hone-worker: $HONE_WORKER, or beside the running program, or in the folder above it.
// UserError when there is none.
std::string find_worker();

// What a worker must know of a kernel; the bytes of its image travel apart.
worker::Code code_of(const codegen::Kernel& kernel);

class WorkerProcess {
 public:
  explicit WorkerProcess(std::string program) : program_(std::move(program)) {}

  // Begins a task. The reference, when there is one, must agree with the task's samples.
  // InternalError when it does not.
  void prepare(worker::Prepare task, const std::optional<codegen::Kernel>& reference);

  // Whatever the kernel does, the result says so and the next call works.
  Measurement run(const codegen::Kernel& kernel, const worker::Timing& timing, bool check,
                  double limit_s);

  // How many workers died, and why the last one did.
  int losses() const { return losses_; }
  const std::string& loss_reason() const { return loss_reason_; }
  pid_t process_id() const { return process_.id(); }  // -1: none at present

 private:
  void ensure_running();
  void send_reference();
  template <class Request>
  bool send(Request request, const codegen::Kernel& kernel);
  worker::Outcome await_outcome(double limit_s);
  void lose(const std::string& reason);

  std::string program_;
  Process process_;
  worker::Channel channel_;
  worker::Prepare task_;
  std::optional<codegen::Kernel> reference_;
  bool prepared_ = false;
  bool real_time_ = false;
  int losses_ = 0;
  std::string loss_reason_;
};

}  // namespace hone::measure
