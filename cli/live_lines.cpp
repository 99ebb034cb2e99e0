#include "cli/live_lines.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "base/clock.h"

namespace hone::cli {
namespace {

constexpr double kRedrawEveryS = 0.1;

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

bool LiveLines::is_due() const { return now_s() - drawn_s_ >= kRedrawEveryS; }

void LiveLines::show(const std::vector<std::string>& lines) {
  clear();
  const std::size_t width = terminal_width();
  std::string text;
  // A line that wraps would count as two when it is cleared.
  for (const std::string& line : lines) text += line.substr(0, width - 1) + "\n";
  shown_ = static_cast<int>(lines.size());
  fmt::print(stderr, "{}", text);
  drawn_s_ = now_s();
}

void LiveLines::say_above(const std::string& text) {
  clear();
  fmt::print(stderr, "{}", text);
  drawn_s_ = 0;
}

void LiveLines::clear() {
  if (shown_ > 0) fmt::print(stderr, "\033[{}A\033[J", shown_);
  shown_ = 0;
}

}  // namespace hone::cli
