#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace hone::cli {

std::string paint(std::string_view text, Colour colour, std::FILE* to) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool wanted = no_color == nullptr || *no_color == '\0';
  if (!wanted || isatty(fileno(to)) == 0) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", static_cast<int>(colour), text);
}

}  // namespace hone::cli
