#include "cli/train_options.h"

#include "cli/option_parts.h"

namespace hone::cli {

namespace {

// What is learned from, and what is not.
void add_split(CLI::App& command, Train& options) {
  command.add_option("--fold", options.fold, "Leave fold K of N out, on all machines")
      ->type_name("K/N");
  command
      .add_option("--fold-by", options.fold_by,
                  "What stays together when tasks are held out (default structure)")
      ->type_name("structure|task");
  command
      .add_option("--target", options.target,
                  "The machine that is learned for; the other machines of the sets are to help")
      ->type_name("NAME");
  command
      .add_option("--target-labels", options.target_labels,
                  "Use the times of so many of its programs only, validation included (default all)")
      ->type_name("N");
  command
      .add_option("--target-programs", options.target_programs,
                  "Use the times of the programs in this file only: a line each, its place in the set")
      ->type_name("FILE");
}

}  // namespace

CLI::App* add_train(CLI::App& app, Train& options) {
  CLI::App* command = app.add_subcommand("train", "Trains a cost model on a data set");
  command->footer(
      "  hone train set.hds -o my.scorer\n"
      "  hone train set.hds --kind tlp --set loss=mse --set seed=1 -o tlp.scorer\n"
      "  hone train e5.hds i7.hds --kind mtl-tlp --target i7 --target-labels 500 -o i7.scorer\n"
      "  hone train --kind tlp --options\n");
  command
      ->add_option("sets", options.sets,
                   "Data sets, as `hone dataset import` writes them; several are of several machines")
      ->type_name("SET.hds");
  command->add_option("--kind", options.kind, "The kind of model (default hone); --options lists them")
      ->type_name("KIND");
  command->add_option("-o,--output", options.output, "The scorer to write")->type_name("FILE");
  command->add_option("--set", options.settings, "An option of the kind; as often as wanted")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  add_split(*command, options);
  command->add_option("--from", options.from, "Start from this scorer's weights (same kind and size)")
      ->type_name("FILE");
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
