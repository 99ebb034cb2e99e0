#include "cli/network_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/option_parts.h"

namespace hone::cli {
namespace {

// For CLI11's check.
std::string one_of_forms(const std::string& word) {
  const std::vector<std::string> forms = {"hone", "c", "so"};
  if (std::ranges::find(forms, word) != forms.end()) return {};
  return fmt::format("`{}` is none of hone, c and so", word);
}

}  // namespace

CLI::App* add_compile(CLI::App& app, Compile& options) {
  CLI::App* command =
      app.add_subcommand("compile", "Makes an artefact of a model, with what was tuned");
  command->footer(
      "  hone compile builtin:resnet18\n"
      "  hone compile model.onnx --shape data=1x3x224x224 -o model.hone\n"
      "  hone compile model.onnx --records runs/model --require-tuned\n");
  command->add_option("model", options.model, "A model: FILE.onnx or builtin:NAME")
      ->type_name("MODEL")
      ->required();
  command->add_option("-o,--output", options.output, "The artefact (default the model's name, .hone)")
      ->type_name("FILE");
  add_model(*command, options.input);
  add_threads(*command, options.threads, "Threads that it is made for (default one a core)");
  command
      ->add_option("--records", options.records,
                   "Where tuned schedules are: logs, or folders of runs (default the store)")
      ->type_name("PATH");
  add_store(*command, options.no_store);
  command->add_flag("--exact", options.exact,
                    "Only algorithms that round as the definition does (no Winograd, no Strassen)");
  command->add_flag("--separate-attention", options.separate_attention,
                    "Scores, soft-max and product of attention as tasks of their own");
  command->add_flag("--require-tuned", options.require_tuned,
                    "Write nothing unless every task was tuned");
  command
      ->add_option(
          "--emit", options.forms,
          "What to write: an artefact (hone, the default), C source (c), a shared library (so)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("hone,c,so")
      ->check(one_of_forms);
  command->add_flag("--portable", options.portable,
                    "Also untuned code for other machines, chosen when it is opened");
  add_json(*command, options.json);
  return command;
}

CLI::App* add_run(CLI::App& app, Run& options) {
  CLI::App* command = app.add_subcommand("run", "Runs an artefact once");
  command->footer(
      "  hone run model.hone --input x.npz -o y.npz\n"
      "  hone run resnet18.hone --input picture.npy --top 5\n"
      "  hone run model.hone --check-against model.onnx\n");
  command->add_option("artefact", options.artefact, "What `hone compile` wrote")
      ->type_name("FILE.hone")
      ->required();
  command->add_option("--input", options.input, "Inputs by name (.npz), or the only one (.npy, .pb)")
      ->type_name("FILE");
  command->add_option("-o,--output", options.output, "Write the outputs: .npz, or .npy for one")
      ->type_name("FILE");
  command->add_option("--top", options.top, "Show the largest elements of each output")
      ->type_name("N")
      ->check([](const std::string& text) { return count_up_to(1'000'000, "elements", text); });
  command->add_option("--check-against", options.reference, "Compare with the definition of this model")
      ->type_name("MODEL");
  command
      ->add_option("--tolerance", options.tolerance,
                   "Largest error that passes, max|a-b| / max|b| (default 1e-4)")
      ->type_name("X")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  add_model(*command, options.model);
  add_threads(*command, options.threads, "Threads to run on (default one a core)");
  add_json(*command, options.json);
  return command;
}

}  // namespace hone::cli
