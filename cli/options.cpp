#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/bench_options.h"
#include "cli/collect_options.h"
#include "cli/completions.h"
#include "cli/config.h"
#include "cli/dataset_options.h"
#include "cli/eval_options.h"
#include "cli/explain_options.h"
#include "cli/network_options.h"
#include "cli/option_parts.h"
#include "cli/settings.h"
#include "cli/train_options.h"
#include "cli/transfer_options.h"
#include "cli/tune_options.h"

namespace hone::cli {
namespace {

const std::vector<std::string> kSources = {"dag",  "sketches", "steps", "state", "nest",     "loops",
                                           "llvm", "asm",      "c",     "graph", "optimised"};

// Help as people read it: what the command does, how it is used in practice, then the options.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
    return make_description(app) + "\nExamples:\n" + app->get_footer() + "\n" +
           make_usage(app, std::move(name)) + make_positionals(app) + make_groups(app, mode) +
           make_subcommands(app, mode);
  }
};

// Validators give an empty text, or what is wrong; CLI11 puts the option's name in front.
std::string one_of_sources(const std::string& word) {
  if (std::ranges::find(kSources, word) != kSources.end()) return {};
  return fmt::format("`{}` is no stage of a computation; {}", word, did_you_mean(word, kSources));
}

CLI::App* add_inspect(CLI::App& app, Inspect& options) {
  CLI::App* command =
      app.add_subcommand("inspect", "Shows a computation at any stage on its way to code");
  command->footer(
      "  hone inspect --op conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1 --source dag\n"
      "  hone inspect model.onnx --ops --shape data=1x3x224x224\n"
      "  hone inspect log.json\n");
  add_computation(*command, options.input);
  command
      ->add_option("file", options.input.file,
                   "A model (.onnx or builtin:NAME), a log, a data set, a scorer, or DAG text")
      ->type_name("FILE");
  command
      ->add_option("--source", options.source,
                   "What to show (default dag, with a record state, of a model a summary)")
      ->type_name(CLI::detail::join(kSources, "|"))
      ->check(one_of_sources);
  command->add_option("--target", options.target, "The machine to make code for (default host)")
      ->type_name("NAME")
      ->envname("HONE_TARGET");
  command->add_flag("--ops", options.operators, "A model's operators, and what each of them becomes");
  command->add_flag("--tasks", options.tasks,
                    "What there is to tune in a model, as `hone tune` numbers it; of a set its tasks");
  add_model(*command, options.model);
  command
      ->add_option("-o,--output", options.output,
                   "Write the model as an ONNX file, or curves of a scorer (.svg)")
      ->type_name("FILE");
  add_json(*command, options.json);
  return command;
}

CLI::App* add_target(CLI::App& app, ShowTarget& options) {
  CLI::App* target = app.add_subcommand("target", "What hone knows of a machine");
  target->footer("  hone target show\n  hone target show neon\n  hone target show --json\n");
  CLI::App* show = target->add_subcommand("show", "Cores, vectors, caches and the measured peak");
  show->footer(target->get_footer());
  show->add_option("name", options.target, "A known machine (default host: this one)")
      ->type_name("NAME");
  add_json(*show, options.json);
  return show;
}

CLI::App* add_doctor(CLI::App& app, Doctor& options) {
  CLI::App* command =
      app.add_subcommand("doctor", "Says what on this machine stands in the way of good measurements");
  command->footer("  hone doctor\n  hone doctor --json\n  sudo hone doctor\n");
  add_json(*command, options.json);
  return command;
}

// Options and subcommands that may follow `app`.
std::vector<std::string> words_of(const CLI::App* app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  for (const CLI::App* command : app->get_subcommands({})) words.push_back(command->get_name());
  return words;
}

[[noreturn]] void refuse(const CLI::App* app, const std::string& word) {
  const std::string name = full_name(app);
  const bool is_option = word.starts_with("-");
  std::string hint = fmt::format("`{} --help` lists what there is", name);
  if (const auto close = nearest(word, words_of(app)))
    hint = fmt::format("did you mean `{}`? {}", *close, hint);
  throw UserError(
      fmt::format("`{}` has no {} `{}`", name, is_option ? "option" : "command or argument", word),
      hint);
}

CLI::App* innermost(CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

Say help_of(const CLI::App* app) {
  const CLI::App* parent = app->get_parent();
  return {app->help(parent == nullptr ? "" : full_name(parent))};
}

// Fills in what the options of the app point to; gives what is to be said instead of running a command.
std::optional<Say> read_line(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return help_of(innermost(&app));
  } catch (const CLI::CallForVersion&) {
    return Say{app.version() + "\n"};
  } catch (const CLI::ParseError& error) {
    throw UserError(error.what(),
                    fmt::format("`{} --help` begins with examples", full_name(innermost(&app))));
  }
  if (const auto extras = app.remaining(true); !extras.empty()) refuse(innermost(&app), extras.front());
  return std::nullopt;
}

// What each command was told, and where it stands in the line.
struct Commands {
  Inspect inspect;
  Bench bench;
  Compile compile;
  Run run;
  Tune tune;
  Dataset dataset;
  Train train;
  Collect collect;
  Transfer transfer;
  Eval eval;
  Explain explain;
  ShowTarget target;
  Doctor doctor;
  ShowConfig config;
  std::string shell;

  void add_to(CLI::App& app) {
    add_inspect(app, inspect);
    add_bench(app, bench);
    add_compile(app, compile);
    add_run(app, run);
    add_tune(app, tune);
    add_dataset(app, dataset);
    add_train(app, train);
    add_collect(app, collect);
    add_transfer(app, transfer);
    add_eval(app, eval);
    add_explain(app, explain);
    add_target(app, target);
    add_doctor(app, doctor);
    add_config(app, config);
    add_completions(app, shell);
  }

  // What is to be run; all of the line is read.
  Command chosen(const CLI::App* command) {
    const std::string name = full_name(command);
    if (const auto verb = dataset_verb(command, dataset)) return *verb;
    if (name == "hone inspect") check_input(command, inspect.input);
    if (name == "hone bench") complete(command, bench);
    if (name == "hone tune") complete(command, tune);
    if (name == "hone collect") complete(command, collect);
    if (name == "hone transfer") complete(command, transfer);
    if (name == "hone eval") complete(command, eval);
    if (name == "hone explain") complete(command, explain);
    const std::map<std::string, Command> commands = {
        {"hone inspect", inspect}, {"hone bench", bench},        {"hone compile", compile},
        {"hone run", run},         {"hone tune", tune},          {"hone train", train},
        {"hone collect", collect}, {"hone transfer", transfer},  {"hone eval", eval},
        {"hone explain", explain}, {"hone target show", target}, {"hone doctor", doctor}};
    const auto found = commands.find(name);
    return found == commands.end() ? help_of(command) : found->second;
  }
};

}  // namespace

Command parse_command(int argc, const char* const* argv) {
  CLI::App app("Finds the fast programs for a network on your machine.", "hone");
  app.formatter(std::make_shared<ExamplesFirst>());
  app.footer(
      "  hone tune model.onnx --budget 2m && hone bench model.hone\n"
      "  hone bench --op matmul:m=512,n=512,k=512\n"
      "  hone inspect --op conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1 --source asm\n");
  app.set_version_flag("--version", "hone " HONE_VERSION);
  app.allow_extras();  // reported below, with the nearest right word
  app.prefix_command(false);
  Commands commands;
  commands.add_to(app);

  if (const std::optional<Say> said = read_line(app, argc, argv)) return *said;
  CLI::App* command = innermost(&app);
  const std::string name = full_name(command);
  if (name == "hone completions") return Say{completions(app, commands.shell)};
  const std::vector<Setting> settings = load_settings(app);
  if (name == "hone config show") return Say{show_config(app, settings, commands.config)};
  apply(settings, *command);
  return commands.chosen(command);
}

}  // namespace hone::cli
