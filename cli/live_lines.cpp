#include "cli/live_lines.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/clock.h"
#include "cli/terminal.h"

namespace hone::cli {
namespace {

constexpr double kRedrawEveryS = 0.1;

}  // namespace

bool LiveLines::is_due() const { return now_s() - drawn_s_ >= kRedrawEveryS; }

void LiveLines::show(const std::vector<std::string>& lines) {
  clear();
  const std::size_t width = terminal_width(stderr);
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
