#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::cli {
namespace {

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

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "One JSON object on stdout instead of text");
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

std::string full_name(const CLI::App* app) {
  return app->get_parent() == nullptr ? "hone" : full_name(app->get_parent()) + " " + app->get_name();
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

const CLI::App* innermost(const CLI::App* app) {
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return app;
}

Say help_of(const CLI::App* app) {
  const CLI::App* parent = app->get_parent();
  return {app->help(parent == nullptr ? "" : full_name(parent))};
}

}  // namespace

Command parse_command(int argc, const char* const* argv) {
  CLI::App app("Finds the fast program for a tensor computation on your machine.", "hone");
  app.formatter(std::make_shared<ExamplesFirst>());
  app.footer("  hone target show\n  hone target show neon --json\n  hone doctor\n");
  app.set_version_flag("--version", "hone " HONE_VERSION);
  app.allow_extras();  // reported below, with the nearest right word
  app.prefix_command(false);

  ShowTarget target_options;
  Doctor doctor_options;
  const CLI::App* show_target = add_target(app, target_options);
  add_doctor(app, doctor_options);

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

  const CLI::App* command = innermost(&app);
  if (const auto extras = app.remaining(true); !extras.empty()) refuse(command, extras.front());
  if (command == show_target) return target_options;
  if (command->get_name() == "doctor") return doctor_options;
  return help_of(command);
}

}  // namespace hone::cli
