// What the environment says, all of it in one place.
#pragma once
#include <optional>
#include <string>

namespace hone::cli {

// The value of a variable; nothing when it is not set or empty.
std::optional<std::string> environment(const char* variable);

// Where hone keeps what outlives a run: HONE_HOME, else ~/.cache/hone.
std::string home_folder();

}  // namespace hone::cli
