#include "cli/settings_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace hone::cli {
namespace {

class SettingsReader {
 public:
  explicit SettingsReader(const std::string& path) : path_(path) {}

  std::vector<Setting> run() {
    const toml::table file = parse();
    for (const auto& [name, node] : file) {
      const toml::table* section = node.as_table();
      if (section == nullptr)
        refuse(node, fmt::format("`{}` stands in no section", name.str()),
               "settings stand below the name of their command, such as [tune]");
      for (const auto& [key, value] : *section) {
        settings_.push_back(
            {std::string(name.str()), std::string(key.str()), value_of(value), place(value.source())});
        lines_.push_back(value.source().begin.line);
      }
    }
    return in_file_order();
  }

 private:
  toml::table parse() const {
    try {
      return toml::parse_file(path_);
    } catch (const toml::parse_error& error) {
      throw UserError(fmt::format("{}: {}", place(error.source()), error.description()));
    }
  }

  nlohmann::json value_of(const toml::node& node) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return number->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    const toml::array* list = node.as_array();
    if (list == nullptr)
      refuse(node, "a setting is a text, a number, true, false or a list of these", "");
    nlohmann::json values = nlohmann::json::array();
    for (const toml::node& item : *list) values.push_back(value_of(item));
    return values;
  }

  // The library keeps keys in the order of their names.
  std::vector<Setting> in_file_order() {
    std::vector<std::size_t> order(settings_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(lines_[i], i); });
    std::vector<Setting> sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(settings_[i]));
    return sorted;
  }

  std::string place(const toml::source_region& source) const {
    return fmt::format("{}:{}", path_, source.begin.line);
  }
  [[noreturn]] void refuse(const toml::node& node, const std::string& what,
                           const std::string& hint) const {
    throw UserError(fmt::format("{}: {}", place(node.source()), what), hint);
  }

  const std::string& path_;
  std::vector<Setting> settings_;
  std::vector<toml::source_index> lines_;
};

}  // namespace

std::vector<Setting> read_settings(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  return SettingsReader(path).run();
}

}  // namespace hone::cli
