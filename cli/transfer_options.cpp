#include "cli/transfer_options.h"

#include <fmt/format.h>

#include "base/affinity.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli/option_parts.h"

namespace hone::cli {
namespace {

constexpr int kMostLabels = 100'000;
constexpr int kLeastLabels = 64;  // of four tasks: fewer say nothing of ways to adapt
const std::vector<std::string> kChoices = {"active", "random"};

std::string enough_labels(const std::string& text) {
  std::string wrong = count_up_to(kMostLabels, "labels", text);
  if (wrong.empty() && std::stoi(text) < kLeastLabels)
    wrong = fmt::format("{} labels teach nothing; at least {} are needed", text, kLeastLabels);
  return wrong;
}

// What is measured, in the words of `hone collect`.
void add_programs(CLI::App& command, Collect& options) {
  command
      .add_option(
          "model", options.models,
          "Networks, .onnx or builtin:NAME, to take programs from (default: small built-in ones)")
      ->type_name("MODEL");
  command.add_option("--op", options.ops, "An operator to take programs from; as often as wanted")
      ->allow_extra_args(false)
      ->type_name("OP");
  command.add_option("--programs", options.programs, "Take the programs of this data set instead")
      ->type_name("SET");
  add_model(command, options.input);
}

}  // namespace

CLI::App* add_transfer(CLI::App& app, Transfer& options) {
  CLI::App* command = app.add_subcommand(
      "transfer", "Adapts a scorer of other machines to this one by a few measurements");
  command->footer(
      "  hone transfer --from cpu.scorer --labels 500 -o here.scorer\n"
      "  hone transfer --from cpu.scorer model.onnx builtin:bert_tiny -o here.scorer\n"
      "  hone transfer --from cpu.scorer --programs set.hds --threads 2 --labels 2000 -o "
      "here.scorer\n");
  Collect& measured = options.collect;
  command->add_option("--from", options.from, "The scorer, which `hone train` wrote")
      ->type_name("FILE")
      ->required();
  add_host(*command, measured.target);
  command
      ->add_option("--labels", options.labels,
                   "Programs to measure, those to judge by among them (default 500)")
      ->type_name("N")
      ->check(enough_labels);
  add_programs(*command, measured);
  command
      ->add_option("--choose", options.choose,
                   "By what the scorer says of the programs, or at random (default active)")
      ->type_name("active|random")
      ->check([](const std::string& word) {
        if (std::ranges::find(kChoices, word) != kChoices.end()) return std::string();
        return fmt::format("`{}` is no way to choose; {}", word, did_you_mean(word, kChoices));
      });
  add_collecting(*command, measured);
  command
      ->add_option("-o,--output", options.output,
                   "The adapted scorer (default host.scorer); what was measured goes to FILE.hds")
      ->type_name("FILE");
  command->add_flag("--quiet", measured.quiet, "Show nothing while it goes on");
  command->add_flag("--json", measured.json, "Events on stdout, one JSON object a line");
  return command;
}

void complete(const CLI::App* command, Transfer& options) {
  Collect& measured = options.collect;
  const bool samples = !measured.models.empty() || !measured.ops.empty();
  if (samples && !measured.programs.empty())
    throw UserError("both tasks to sample and --programs are given; one of them is measured",
                    fmt::format("`{} --help` begins with examples", full_name(command)));
  measured.output = options.output + ".hds";
  measured.run.folder = options.output + ".run";
  measured.run.jobs = static_cast<int>(allowed_cpus().size());
}

}  // namespace hone::cli
