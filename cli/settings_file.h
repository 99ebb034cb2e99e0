// A file of settings: `key = value` lines in sections, in TOML. The TOML library stays behind this
// file.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hone::cli {

struct Setting {
  std::string section, key;
  nlohmann::json value;  // a text, a number, true, false or a list of these
  std::string origin;    // hone.toml:3
};

// In the order of the file; none when there is no such file. UserError for what is no TOML, and for
// anything but keys with plain values in sections.
std::vector<Setting> read_settings(const std::string& path);

}  // namespace hone::cli
