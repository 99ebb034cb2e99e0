#include "cli/train_options.h"

#include "cli/option_parts.h"

namespace hone::cli {

CLI::App* add_train(CLI::App& app, Train& options) {
  CLI::App* command = app.add_subcommand("train", "Trains a cost model on a data set");
  command->footer(
      "  hone train set.hds -o my.scorer\n"
      "  hone train set.hds --kind tlp --set loss=mse --set seed=1 -o tlp.scorer\n"
      "  hone train --kind tlp --options\n");
  command->add_option("set", options.set, "A data set, as `hone dataset import` writes them")
      ->type_name("SET.hds");
  command->add_option("--kind", options.kind, "The kind of model (default hone); --options lists them")
      ->type_name("KIND");
  command->add_option("-o,--output", options.output, "The scorer to write")->type_name("FILE");
  command->add_option("--set", options.settings, "An option of the kind; as often as wanted")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command->add_option("--fold", options.fold, "Leave fold K of N out, tasks of a structure together")
      ->type_name("K/N");
  command
      ->add_option("--networks", options.networks,
                   "Of kind hone: networks that hone-train trained on this set, for trees to join")
      ->type_name("FILE");
  command
      ->add_option("--device", options.device, "Where to train (default auto: a GPU if there is one)")
      ->type_name("auto|cpu|cuda");
  add_threads(*command, options.threads, "Threads to train with (default one a core)");
  command->add_flag("--resume", options.resume, "Go on from the checkpoint of a run that was stopped");
  command->add_flag("--fresh", options.fresh, "Forget that checkpoint");
  command->add_flag("--options", options.list_options,
                    "What can be set of the kind, with the defaults; without --kind the kinds");
  add_json(*command, options.json);
  return command;
}

}  // namespace hone::cli
