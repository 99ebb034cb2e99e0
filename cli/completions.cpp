#include "cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::cli {
namespace {

const std::vector<std::string> kShells = {"bash", "zsh", "fish"};

struct OptionWords {
  std::string name;  // with its dashes
  std::string what;
  std::vector<std::string> values;  // when it takes one of a few
  bool takes_value = false;
};
struct CommandWords {
  std::string path;  // hone tune
  std::string what;
  std::vector<OptionWords> options;
  std::vector<std::string> commands;  // that may follow

  std::vector<std::string> all() const {
    std::vector<std::string> words = commands;
    for (const OptionWords& option : options) words.push_back(option.name);
    return words;
  }
};

std::string join(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// Where an option takes one of a few words, the help names them all: `gbdt|analytic|random|FILE`. What
// is written in capitals stands for something else.
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.find('|') == std::string::npos) return {};
  std::vector<std::string> words = CLI::detail::split(type, '|');
  std::erase_if(words, [](const std::string& word) {
    return word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0;
  });
  return words;
}

// The command and those below it, each before its own.
void collect(const CLI::App& app, const std::string& path, std::vector<CommandWords>& found) {
  CommandWords words{.path = path, .what = app.get_description(), .options = {}, .commands = {}};
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      words.options.push_back({.name = "--" + name,
                               .what = option->get_description(),
                               .values = values_of(*option),
                               .takes_value = option->get_items_expected_max() > 0});
    }
    if (option->get_positional() && option->get_lnames().empty()) {
      const std::vector<std::string> values = values_of(*option);
      words.commands.insert(words.commands.end(), values.begin(), values.end());
    }
  }
  for (const CLI::App* command : app.get_subcommands({})) words.commands.push_back(command->get_name());
  found.push_back(std::move(words));
  for (const CLI::App* command : app.get_subcommands({}))
    collect(*command, path + " " + command->get_name(), found);
}

// Finds the command that the words before the cursor name, then offers what may follow it, or the
// values of the option before the cursor; files where nothing fits.
std::string bash(const std::vector<CommandWords>& commands) {
  std::vector<std::string> paths, free_values;
  std::string values, words;
  for (const CommandWords& command : commands) {
    if (command.path != "hone") paths.push_back(fmt::format("\"{}\"", command.path));
    words += fmt::format("        \"{}\") words=\"{}\" ;;\n", command.path, join(command.all(), " "));
    for (const OptionWords& option : command.options) {
      const std::string place = fmt::format("\"{} {}\"", command.path, option.name);
      if (!option.values.empty()) {
        values += fmt::format("    {}) words=\"{}\" ;;\n", place, join(option.values, " "));
      } else if (option.takes_value) {
        free_values.push_back(place);
      }
    }
  }
  return fmt::format(R"(_hone() {{
  local command=hone words= word
  for word in "${{COMP_WORDS[@]:1:$((COMP_CWORD-1))}}"; do
    case "$command $word" in
      {}) command="$command $word" ;;
    esac
  done
  case "$command ${{COMP_WORDS[$((COMP_CWORD-1))]}}" in
{}    {}) ;;
    *)
      case "$command" in
{}      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _hone hone
)",
                     join(paths, " | "), values, join(free_values, " | "), words);
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? fmt::format("\\{}", c) : std::string(1, c);
  return out + "'";
}

// The condition under which a line of fish's applies: these commands are on the line.
std::string fish_condition(const std::string& path) {
  std::string condition;
  for (const std::string& word : CLI::detail::split(path, ' ')) {
    if (word == "hone") continue;
    condition +=
        fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", word);
  }
  return condition.empty() ? "__fish_use_subcommand" : condition;
}

std::string fish(const std::vector<CommandWords>& commands) {
  std::string text;
  for (const CommandWords& command : commands) {
    const std::string start =
        fmt::format("complete -c hone -n {}", quoted(fish_condition(command.path)));
    for (const std::string& word : command.commands) {
      const std::string path = command.path + " " + word;
      const auto inner = std::ranges::find(commands, path, &CommandWords::path);
      const std::string what = inner == commands.end() ? "" : inner->what;
      text += fmt::format("{} -f -a {} -d {}\n", start, word, quoted(what));
    }
    for (const OptionWords& option : command.options) {
      const std::string argument = !option.values.empty()
                                       ? fmt::format(" -x -a {}", quoted(join(option.values, " ")))
                                   : option.takes_value ? " -r"
                                                        : "";
      text += fmt::format("{} -l {}{} -d {}\n", start, option.name.substr(2), argument,
                          quoted(option.what));
    }
  }
  return text;
}

}  // namespace

CLI::App* add_completions(CLI::App& app, std::string& shell) {
  CLI::App* command = app.add_subcommand("completions", "Prints what a shell needs to complete hone");
  command->footer(
      "  hone completions bash > ~/.local/share/bash-completion/completions/hone\n"
      "  source <(hone completions zsh)  # in ~/.zshrc, after compinit\n"
      "  hone completions fish > ~/.config/fish/completions/hone.fish\n");
  command->add_option("shell", shell, "The shell")
      ->type_name(CLI::detail::join(kShells, "|"))
      ->required()
      ->check([](const std::string& word) -> std::string {
        if (std::ranges::find(kShells, word) != kShells.end()) return {};
        return fmt::format("`{}` is no shell that hone knows; {}", word, did_you_mean(word, kShells));
      });
  return command;
}

std::string completions(const CLI::App& app, const std::string& shell) {
  std::vector<CommandWords> commands;
  collect(app, "hone", commands);
  if (shell == "bash") return bash(commands);
  if (shell == "fish") return fish(commands);
  check(shell == "zsh", "the shells that the option takes");
  // zsh understands bash's.
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash(commands);
}

}  // namespace hone::cli
