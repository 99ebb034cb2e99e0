#include "base/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace hone {
namespace {

constexpr double kLongest_s = 366.0 * 24 * 3600;
// "ms" before "m", of which it would be taken for the beginning.
constexpr std::array<std::pair<std::string_view, double>, 5> kUnits = {
    {{"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}};

[[noreturn]] void refuse(std::string_view text) {
  throw UserError(fmt::format("`{}` is no span of time", text),
                  "write a number and its unit: 30s, 20m, 1h30m");
}

}  // namespace

double parse_duration(std::string_view text) {
  double total = 0;
  std::string_view rest = text;
  if (rest.empty()) refuse(text);
  while (!rest.empty()) {
    double number = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0)) refuse(text);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const auto* unit = kUnits.begin();
    while (unit != kUnits.end() && !rest.starts_with(unit->first)) ++unit;
    if (unit == kUnits.end()) refuse(text);
    rest.remove_prefix(unit->first.size());
    total += number * unit->second;
  }
  if (!(total > 0 && total <= kLongest_s)) refuse(text);
  return total;
}

std::string print_clock(double seconds) {
  const auto whole = static_cast<long>(std::floor(seconds));
  const long hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string print_time(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3f} ms", seconds * 1e3);
  return fmt::format("{:.3f} s", seconds);
}

}  // namespace hone
