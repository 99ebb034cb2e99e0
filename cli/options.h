// What the user asked for: one struct a command, filled from the command line.
#pragma once
#include <string>
#include <variant>

namespace hone::cli {

struct ShowTarget {
  std::string target;
  bool json = false;
};

struct Doctor {
  bool json = false;
};

// Nothing to do but to print, for --help and --version.
struct Say {
  std::string text;
};

using Command = std::variant<ShowTarget, Doctor, Say>;

// Throws UserError on wrong use, naming the nearest right option or command.
Command parse_command(int argc, const char* const* argv);

}  // namespace hone::cli
