#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/environment.h"

namespace hone::cli {

std::string paint(std::string_view text, Colour colour, std::FILE* to) {
  if (!wants_colour() || isatty(fileno(to)) == 0) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", static_cast<int>(colour), text);
}

}  // namespace hone::cli
