#include "cli/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/environment.h"

namespace hone::cli {

std::vector<const CLI::Option*> options_of(const CLI::App& section) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : section.get_options()) {
    if (!option->get_lnames().empty() && option != section.get_help_ptr()) options.push_back(option);
  }
  for (const CLI::App* inner : section.get_subcommands({})) {
    const std::vector<const CLI::Option*> more = options_of(*inner);
    options.insert(options.end(), more.begin(), more.end());
  }
  return options;
}

const std::string& key_of(const CLI::Option& option) { return option.get_lnames().front(); }

namespace {

// `target show` is set in [target].
const CLI::App& section_of(const CLI::App& command) {
  const CLI::App* top = &command;
  while (top->get_parent()->get_parent() != nullptr) top = top->get_parent();
  return *top;
}

void check_known(const CLI::App& app, const Setting& setting) {
  std::vector<std::string> sections, keys;
  const CLI::App* section = nullptr;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (options_of(*command).empty()) continue;
    sections.push_back(command->get_name());
    if (command->get_name() == setting.section) section = command;
  }
  if (section == nullptr)
    throw UserError(fmt::format("{}: there is no section `{}`", setting.origin, setting.section),
                    did_you_mean(setting.section, sections));
  for (const CLI::Option* option : options_of(*section)) keys.push_back(key_of(*option));
  if (std::ranges::find(keys, setting.key) == keys.end())
    throw UserError(
        fmt::format("{}: [{}] has no key `{}`", setting.origin, setting.section, setting.key),
        did_you_mean(setting.key, keys));
}

// As the command line would have it.
std::vector<std::string> words_of(const nlohmann::json& value) {
  if (value.is_string()) return {value.get<std::string>()};
  if (!value.is_array()) return {value.dump()};
  std::vector<std::string> words;
  for (const nlohmann::json& item : value)
    for (std::string& word : words_of(item)) words.push_back(std::move(word));
  return words;
}

}  // namespace

std::vector<Setting> load_settings(const CLI::App& app) {
  std::vector<Setting> settings = read_settings(kProjectFile);
  for (Setting& setting : read_settings(user_settings_file())) {
    const bool is_set = std::ranges::any_of(settings, [&](const Setting& other) {
      return other.section == setting.section && other.key == setting.key;
    });
    if (!is_set) settings.push_back(std::move(setting));
  }
  for (const Setting& setting : settings) check_known(app, setting);
  return settings;
}

void apply(const std::vector<Setting>& settings, CLI::App& command) {
  if (command.get_parent() == nullptr) return;
  for (const Setting& setting : settings) {
    if (setting.section != section_of(command).get_name()) continue;
    CLI::Option* option = command.get_option_no_throw("--" + setting.key);
    if (option == nullptr || option->count() > 0) continue;
    try {
      option->add_result(words_of(setting.value));
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      throw UserError(fmt::format("{}: {}", setting.origin, error.what()));
    }
  }
}

}  // namespace hone::cli
