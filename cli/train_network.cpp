#include "cli/train_network.h"

#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/train_display.h"
#include "cli/train_program.h"

namespace hone::cli {
namespace {

std::vector<std::string> arguments_of(const Train& options) {
  std::vector<std::string> out = options.sets;
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) out.insert(out.end(), {flag, value});
  };
  add("-o", options.output);
  add("--device", options.device);
  add("--threads", std::to_string(options.threads));
  add_kind(out, options);
  add("--fold", options.fold);
  add("--fold-by", options.fold_by);
  add("--target", options.target);
  add("--target-labels", options.target_labels);
  add("--target-programs", options.target_programs);
  add("--from", options.from);
  if (options.resume) out.emplace_back("--resume");
  if (options.fresh) out.emplace_back("--fresh");
  return out;
}

}  // namespace

void add_kind(std::vector<std::string>& arguments, const Train& options) {
  if (!options.kind.empty()) arguments.insert(arguments.end(), {"--kind", options.kind});
  for (const std::string& setting : options.settings)
    arguments.insert(arguments.end(), {"--set", setting});
}

int train_network(const Train& options) {
  const Interrupt interrupt;
  TrainDisplay display(options.json);
  const int code = run_train_program(arguments_of(options), interrupt.asked(),
                                     [&](const std::string& line) { display.show(line); });
  if (code == kStopped) fmt::print(stderr, "stopped; `hone train ... --resume` goes on where it was\n");
  return code;
}

}  // namespace hone::cli
