#include "worker/serve.h"

#include <fmt/format.h>

#include <exception>
#include <memory>

#include "base/clock.h"
#include "runtime/image.h"
#include "runtime/pool.h"
#include "worker/last_words.h"
#include "worker/real_time.h"
#include "worker/task_memory.h"
#include "worker/timing.h"

namespace hone::worker {
namespace {

Outcome outcome_of(Status status, std::string message) {
  Outcome outcome;
  outcome.status = status;
  outcome.message = std::move(message);
  return outcome;
}

runtime::Image map_code(const Code& code, const Descriptor& attached) {
  runtime::Image image =
      attached.valid() ? runtime::Image(attached.get(), code.size_bytes) : runtime::Image(code.bytes);
  if (image.empty()) throw UserError(fmt::format("cannot map {} bytes of code", code.size_bytes));
  check(code.entry < image.size_bytes(), "a kernel's entry lies in its image");
  return image;
}

// One client's task: its memory, its threads.
class Session {
 public:
  Ready prepare(Prepare task);
  Outcome set_reference(const Reference& request, const Descriptor& attached);
  Outcome run(const Run& request, const Descriptor& attached);

 private:
  // A kernel that is mapped and has its arguments.
  struct Loaded {
    runtime::Image image;
    hone_entry entry;
    std::vector<void*> buffers;
    hone_table table;
    hone_call call;

    void run(int calls) const {
      for (int i = 0; i < calls; ++i) entry(&call);
    }
  };
  std::unique_ptr<Loaded> load(const Code& code, const Descriptor& attached);
  Times time(const Loaded& kernel, const Timing& timing, double first_call_s);

  std::unique_ptr<TaskMemory> memory_;
  std::unique_ptr<runtime::Pool> pool_;
  bool real_time_ = false;
  Breather breather_;
};

Ready Session::prepare(Prepare task) {
  pool_.reset();
  memory_.reset();
  real_time_ = set_real_time(task.real_time) && task.real_time;
  pool_ =
      std::make_unique<runtime::Pool>(runtime::PoolOptions{.threads = task.threads, .cpus = task.cpus});
  Ready ready{real_time_, pool_->threads(), {}};
  task.threads = pool_->threads();
  try {
    memory_ = std::make_unique<TaskMemory>(std::move(task));
  } catch (const UserError& error) {
    ready.failure = error.what();
  }
  return ready;
}

std::unique_ptr<Session::Loaded> Session::load(const Code& code, const Descriptor& attached) {
  check(memory_ != nullptr, "a task is prepared before its kernels are run");
  auto kernel = std::make_unique<Loaded>();
  kernel->image = map_code(code, attached);
  kernel->entry = kernel->image.entry(code.entry);
  kernel->buffers = memory_->arguments(code);
  kernel->table = pool_->table();
  kernel->call = {kernel->buffers.data(), memory_->scratch(code), &kernel->table};
  explain_faults_in(memory_->regions());
  return kernel;
}

Outcome Session::set_reference(const Reference& request, const Descriptor& attached) {
  const std::unique_ptr<Loaded> kernel = load(request.code, attached);
  const TimeLimit limit(request.limit_s);
  memory_->poison();
  kernel->run(1);
  Outcome outcome;
  outcome.message = memory_->damage();
  if (outcome.message.empty()) outcome.message = memory_->wrong_answer();
  if (!outcome.message.empty()) outcome.status = Status::WrongAnswer;
  if (outcome.status == Status::Ok) memory_->keep_as_reference();
  return outcome;
}

Outcome Session::run(const Run& request, const Descriptor& attached) {
  const std::unique_ptr<Loaded> kernel = load(request.code, attached);
  const TimeLimit limit(request.limit_s);
  Outcome outcome;
  outcome.checked = request.check && memory_->has_expectations();
  if (outcome.checked) memory_->poison();
  // The first call is warm-up and the one whose answer is looked at.
  const double start = now_s();
  kernel->run(1);
  const double first_call_s = now_s() - start;
  breather_.spent(first_call_s);
  if (outcome.checked) outcome.message = memory_->wrong_answer();
  if (!outcome.message.empty()) outcome.status = Status::WrongAnswer;
  if (outcome.status == Status::Ok) {
    Times times = time(*kernel, request.timing, first_call_s);
    outcome.seconds = std::move(times.seconds);
    outcome.noise = times.noise;
  }
  // Whoever writes where nothing of his lies may have written elsewhere too: this process is not used
  // again.
  if (std::string damage = memory_->damage(); !damage.empty()) {
    outcome = outcome_of(Status::Runtime, std::move(damage));
    outcome.ends = true;
  }
  return outcome;
}

Times Session::time(const Loaded& kernel, const Timing& timing, double first_call_s) {
  // Without precedence over other programs a single thread is better timed by what it used itself.
  const bool by_cpu_time = !real_time_ && pool_->threads() == 1;
  Stopwatch watch;
  watch.run = [&](int calls) { kernel.run(calls); };
  watch.clock = by_cpu_time ? &thread_cpu_s : &now_s;
  if (timing.cold_constants) watch.before = [&] { memory_->flush_constants(); };
  if (real_time_) watch.after = [&](double spent) { breather_.spent(spent); };
  return time_kernel(watch, timing, first_call_s);
}

}  // namespace

int serve(Channel channel) {
  install_last_words(channel.descriptor());
  Session session;
  try {
    for (;;) {
      const Packet packet = channel.receive(-1);
      if (packet.arrival != Arrival::Message) return 0;
      switch (packet.kind) {
        case MessageKind::Prepare:
          channel.send(session.prepare(packet.as<Prepare>()));
          break;
        case MessageKind::Reference:
          channel.send(session.set_reference(packet.as<Reference>(), packet.attached));
          break;
        case MessageKind::Run: {
          const Outcome outcome = session.run(packet.as<Run>(), packet.attached);
          channel.send(outcome);
          if (outcome.ends) return 0;
          break;
        }
        default:
          fail("a client asks for an unknown thing");
      }
    }
  } catch (const std::exception& error) {
    Outcome outcome = outcome_of(Status::Unknown, error.what());
    outcome.ends = true;
    channel.send(outcome);
    return 1;
  }
}

}  // namespace hone::worker
