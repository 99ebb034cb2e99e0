#include "cli/collect_options.h"

#include <fmt/format.h>

#include "base/affinity.h"
#include "base/error.h"
#include "cli/option_parts.h"

namespace hone::cli {

CLI::App* add_collect(CLI::App& app, Collect& options) {
  CLI::App* command =
      app.add_subcommand("collect", "Measures programs of many tasks here, as a data set");
  command->footer(
      "  hone collect builtin:resnet18 builtin:bert_tiny --per-task 400 -o set.hds\n"
      "  hone collect --op matmul:m=512,n=512,k=512 --per-task 1000 -o matmul.hds\n"
      "  hone collect --programs set.hds -o here.hds\n");
  command->add_option("model", options.models, "Networks, .onnx or builtin:NAME, whose tasks to sample")
      ->type_name("MODEL");
  command->add_option("--op", options.ops, "An operator to sample; as often as wanted")
      ->allow_extra_args(false)
      ->type_name("OP");
  command
      ->add_option("--programs", options.programs,
                   "Measure the programs of this data set, which another machine measured")
      ->type_name("SET");
  command
      ->add_option("--per-task", options.run.per_task,
                   "Programs of each task, where there are as many (default 400)")
      ->type_name("N")
      ->check([](const std::string& text) { return count_up_to(1'000'000, "programs", text); });
  add_host(*command, options.target);
  add_collecting(*command, options);
  add_model(*command, options.input);
  command
      ->add_option("-o,--output", options.output, "The data set; measurements go to SET.run meanwhile")
      ->type_name("SET")
      ->required();
  command->add_flag("--quiet", options.quiet, "Show nothing while it goes on");
  add_json(*command, options.json);
  return command;
}

void complete(const CLI::App* command, Collect& options) {
  const bool samples = !options.models.empty() || !options.ops.empty();
  if (samples == !options.programs.empty()) {
    throw UserError(samples ? "both tasks to sample and --programs are given; one of them is measured"
                            : "nothing to measure: neither a model, --op nor --programs is given",
                    fmt::format("`{} --help` begins with examples", full_name(command)));
  }
  options.run.folder = options.output + ".run";
  options.run.jobs = static_cast<int>(allowed_cpus().size());
}

}  // namespace hone::cli
