// Runs programs and kernels of one task on the same random inputs and says what is wrong with them.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "codegen/kernel.h"
#include "ir/program.h"
#include "measure/expectation.h"
#include "runtime/pool.h"
#include "worker/task_memory.h"

namespace hone::property {

// In this process, on memory between guard pages: what reaches out of bounds crashes or is reported.
class Trial {
 public:
  explicit Trial(const task::Task& task, const measure::ExpectationOptions& options = {});

  // Every answer is compared with the task's definition and, once there is one, with the trusted
  // answer. Both return the first fault as a sentence, or an empty string.
  std::string run(const codegen::Kernel& kernel);
  // `parameters` says which constants the program reads packed, and how.
  std::string interpret(const ir::Program& program,
                        const std::vector<codegen::Parameter>& parameters = {});
  // From now on the last answer is the trusted one.
  void trust_last() { memory_.keep_as_reference(); }

 private:
  std::string fault() const;

  worker::TaskMemory memory_;
  runtime::Pool pool_;
};

// How much wider tolerances must be for an operator or computation of this name: the transforms of
// Winograd's algorithm multiply rounding errors.
double slack_of(std::string_view name);

// While it lives, a crash of the process is preceded by the text.
class CrashNotice {
 public:
  explicit CrashNotice(std::string text);
  ~CrashNotice();
  CrashNotice(const CrashNotice&) = delete;
  CrashNotice& operator=(const CrashNotice&) = delete;
};

}  // namespace hone::property
