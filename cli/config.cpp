#include "cli/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/environment.h"
#include "cli/option_parts.h"
#include "cli/settings.h"
#include "cli/shipped_scorer.h"

namespace hone::cli {
namespace {

// What is set, in the order of commands and options.
std::vector<Setting> in_force(const CLI::App& app, const std::vector<Setting>& settings) {
  std::vector<Setting> all;
  for (const CLI::App* section : app.get_subcommands({})) {
    for (const CLI::Option* option : options_of(*section)) {
      const std::string& variable = option->get_envname();
      const auto value = variable.empty() ? std::nullopt : environment(variable.c_str());
      const auto found = std::ranges::find_if(settings, [&](const Setting& setting) {
        return setting.section == section->get_name() && setting.key == key_of(*option);
      });
      if (value) {
        all.push_back({section->get_name(), key_of(*option), *value, variable});
      } else if (found != settings.end()) {
        all.push_back(*found);
      }
    }
  }
  return all;
}

// The scorer that `hone tune` uses when none is set, and whether it can be.
std::string print_scorer(const ShippedScorer& scorer) {
  return fmt::format("# tune: scorer {}, {}{}\n", scorer.path, scorer.hash,
                     scorer.misfit.empty() ? "" : "; not used: " + scorer.misfit);
}

std::string print_text(const std::vector<Setting>& settings, bool with_origin) {
  std::string text, section;
  for (const Setting& setting : settings) {
    if (setting.section != section)
      text += fmt::format("{}[{}]\n", section.empty() ? "" : "\n", setting.section);
    section = setting.section;
    text += fmt::format("{} = {}", setting.key, setting.value.dump());
    text += with_origin ? fmt::format("  # {}\n", setting.origin) : "\n";
  }
  if (!text.empty()) return text;
  return fmt::format("# every option has its default: neither {} nor {} sets one\n", kProjectFile,
                     user_settings_file());
}

std::string print_json(const std::vector<Setting>& settings,
                       const std::optional<ShippedScorer>& scorer) {
  auto list = nlohmann::ordered_json::array();
  for (const Setting& setting : settings) {
    list.push_back({{"section", setting.section},
                    {"key", setting.key},
                    {"value", setting.value},
                    {"origin", setting.origin}});
  }
  nlohmann::ordered_json report = {{"schema", "hone.config/1"}, {"settings", std::move(list)}};
  if (scorer)
    report["scorer"] = {{"file", scorer->path}, {"hash", scorer->hash}, {"misfit", scorer->misfit}};
  return report.dump() + "\n";
}

}  // namespace

CLI::App* add_config(CLI::App& app, ShowConfig& options) {
  CLI::App* config = app.add_subcommand("config", "Options that files and the environment set");
  config->footer("  hone config show\n  hone config show --origin\n  hone config show --json\n");
  CLI::App* show = config->add_subcommand("show", "Prints them as a file of settings");
  show->footer(config->get_footer());
  show->add_flag("--origin", options.origin, "Also where each of them is set");
  add_json(*show, options.json);
  return show;
}

std::string show_config(const CLI::App& app, const std::vector<Setting>& settings,
                        const ShowConfig& options) {
  const std::vector<Setting> set = in_force(app, settings);
  const std::optional<ShippedScorer> scorer = shipped_scorer();
  if (options.json) return print_json(set, scorer);
  return print_text(set, options.origin) + (scorer ? print_scorer(*scorer) : "");
}

}  // namespace hone::cli
