// What the environment says, all of it in one place; but for HONE_JOBS, HONE_SCORER and HONE_TARGET,
// which stand for options and are declared with them, and for HONE_WORKER, HONE_TRAIN and HONE_CC,
// which name programs to start.
#pragma once
#include <optional>
#include <string>

namespace hone::cli {

// The value of a variable; nothing when it is not set or empty.
std::optional<std::string> environment(const char* variable);

// Where hone keeps what outlives a run: HONE_HOME, else ~/.cache/hone.
std::string home_folder();
std::string user_settings_file();  // ~/.config/hone/config.toml
bool wants_colour();               // unless NO_COLOR is set
bool wants_progress();  // unless HONE_NO_PROGRESS is set: pictures that are drawn again and again

}  // namespace hone::cli
