#include "tests/property/trial.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "ir/interpret.h"
#include "measure/worker_process.h"
#include "runtime/image.h"

namespace hone::property {
namespace {

constexpr int kThreads = 2;

worker::Prepare memory_of(const task::Task& task, const measure::ExpectationOptions& options) {
  measure::TaskData data = measure::expectations(task, options);
  worker::Prepare prepare;
  prepare.buffers = std::move(data.buffers);
  prepare.seed = data.seed;
  prepare.samples = std::move(data.samples);
  prepare.tolerances = std::move(data.tolerances);
  prepare.threads = kThreads;
  return prepare;
}

constexpr std::array<int, 4> kFaults = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
std::string notice;
std::array<struct sigaction, kFaults.size()> former;

// Says what runs and lets the fault happen again under the handler that was there before.
void on_fault(int) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, notice.data(), notice.size());
  for (std::size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &former[i], nullptr);
}

}  // namespace

Trial::Trial(const task::Task& task, const measure::ExpectationOptions& options)
    : memory_(memory_of(task, options)), pool_({.threads = kThreads}) {}

std::string Trial::run(const codegen::Kernel& kernel) {
  const runtime::Image image(kernel.image);
  const worker::Code code = measure::code_of(kernel);
  const std::vector<void*> arguments = memory_.arguments(code);
  void* const scratch = memory_.scratch(code);
  memory_.poison();
  const hone_table table = pool_.table();
  const hone_call call{arguments.data(), scratch, &table};
  image.entry(kernel.entry)(&call);
  return fault();
}

std::string Trial::interpret(const ir::Program& program,
                             const std::vector<codegen::Parameter>& parameters) {
  codegen::Kernel layouts;
  layouts.parameters = parameters;
  const std::vector<void*> arguments = memory_.arguments(measure::code_of(layouts));
  memory_.poison();
  std::vector<ir::Tensor> tensors;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    tensors.push_back(ir::make_tensor(program.params[i]));
    std::memcpy(tensors[i].data.data(), arguments[i], tensors[i].data.size());
  }
  ir::interpret(program, tensors);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (memory_.task().buffers[i].role != worker::Role::Output) continue;
    std::memcpy(arguments[i], tensors[i].data.data(), tensors[i].data.size());
  }
  return fault();
}

std::string Trial::fault() const {
  std::string damage = memory_.damage();
  return damage.empty() ? memory_.wrong_answer() : damage;
}

double slack_of(std::string_view name) {
  return name.find("winograd") == std::string_view::npos ? 1 : 32;
}

CrashNotice::CrashNotice(std::string text) {
  notice = std::move(text);
  struct sigaction action{};
  action.sa_handler = &on_fault;
  for (std::size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &action, &former[i]);
}

CrashNotice::~CrashNotice() {
  for (std::size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &former[i], nullptr);
}

}  // namespace hone::property
