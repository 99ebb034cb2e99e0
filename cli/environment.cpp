#include "cli/environment.h"

#include <cstdlib>

namespace hone::cli {

std::optional<std::string> environment(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::string home_folder() {
  if (const auto home = environment("HONE_HOME")) return *home;
  return environment("HOME").value_or("") + "/.cache/hone";
}

std::string user_settings_file() {
  return environment("HOME").value_or("") + "/.config/hone/config.toml";
}

bool wants_colour() { return !environment("NO_COLOR"); }
bool wants_progress() { return !environment("HONE_NO_PROGRESS"); }

}  // namespace hone::cli
