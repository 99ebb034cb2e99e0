#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/environment.h"

namespace hone::cli {

std::string paint(std::string_view text, Colour colour, std::FILE* to) {
  if (!wants_colour() || isatty(fileno(to)) == 0) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", static_cast<int>(colour), text);
}

std::size_t terminal_width(std::FILE* to, std::size_t otherwise) {
  winsize size{};
  const bool is_known = ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : otherwise;
}

}  // namespace hone::cli
