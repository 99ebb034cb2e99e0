#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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
#include "cli/network_options.h"
#include "cli/option_parts.h"
#include "cli/settings.h"
#include "cli/train_options.h"
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
                    "What there is to tune in a model, as `hone tune` numbers it");
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

  Inspect inspect_options;
  Bench bench_options;
  Compile compile_options;
  Run run_options;
  Tune tune_options;
  Dataset dataset_options;
  Train train_options;
  Collect collect_options;
  Eval eval_options;
  ShowTarget target_options;
  Doctor doctor_options;
  const CLI::App* inspect = add_inspect(app, inspect_options);
  const CLI::App* bench = add_bench(app, bench_options);
  const CLI::App* compile = add_compile(app, compile_options);
  const CLI::App* run = add_run(app, run_options);
  const CLI::App* tune = add_tune(app, tune_options);
  add_dataset(app, dataset_options);
  const CLI::App* train = add_train(app, train_options);
  const CLI::App* collect = add_collect(app, collect_options);
  const CLI::App* eval = add_eval(app, eval_options);
  const CLI::App* show_target = add_target(app, target_options);
  add_doctor(app, doctor_options);
  ShowConfig config_options;
  std::string shell;
  const CLI::App* config = add_config(app, config_options);
  const CLI::App* shells = add_completions(app, shell);

  if (const std::optional<Say> said = read_line(app, argc, argv)) return *said;
  CLI::App* command = innermost(&app);
  if (command == shells) return Say{completions(app, shell)};
  const std::vector<Setting> settings = load_settings(app);
  if (command == config) return Say{show_config(app, settings, config_options)};
  apply(settings, *command);
  if (command == inspect) {
    check_input(inspect, inspect_options.input);
    return inspect_options;
  }
  if (command == bench) {
    complete(bench, bench_options);
    return bench_options;
  }
  if (command == compile) return compile_options;
  if (command == run) return run_options;
  if (command == tune) {
    complete(tune_options, tune->count("--trials") > 0);
    return tune_options;
  }
  if (const auto verb = dataset_verb(command, dataset_options)) return *verb;
  if (command == train) return train_options;
  if (command == collect) {
    complete(collect, collect_options);
    return collect_options;
  }
  if (command == eval) {
    complete(eval, eval_options);
    return eval_options;
  }
  if (command == show_target) return target_options;
  if (command->get_name() == "doctor") return doctor_options;
  return help_of(command);
}

}  // namespace hone::cli
